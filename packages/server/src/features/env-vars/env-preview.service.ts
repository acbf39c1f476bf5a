import { Id } from '@panel/contract/common'
import { EnvKey, type EnvChanges } from '@panel/contract/env-vars'
import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { findProject } from '../projects/project-access.ts'
import { applyChanges, brokenReferences, changedKeys, needOf, type WrittenVariable } from './env-changes.policy.ts'
import { listAttachedProjects } from './env-groups.repository.ts'
import { EntriesSchema, HolderSchema, referencesIn } from './env-vars-writing.service.ts'
import { requireOwnHolder } from './env-vars.service.ts'
import { type EnvVarFacts, type EnvVarRow, listEnvVars } from './env-vars.repository.ts'
import type { Holder } from './holder.types.ts'
import { readEnvironmentFacts } from './environment.service.ts'
import { sourceOf } from './env-vars.service.ts'

interface Proposal {
  variables: z.infer<typeof EntriesSchema>
  removed: string[]
}

const ProposalSchema = z.object({ variables: EntriesSchema, removed: z.array(EnvKey) })

/** What a change would do, without doing it. Values are compared, not returned. */
export const previewChanges = workerVerb('envVars.preview', [Id, HolderSchema, ProposalSchema], previewHere)

async function previewHere(
  deps: Dependencies,
  userId: string,
  holder: Holder,
  { variables, removed }: Proposal
): Promise<EnvChanges> {
  await requireOwnHolder(deps.db, userId, holder)
  const rows = await listEnvVars(deps.db, holder)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const last = new Map(variables.map((entry) => [entry.key, entry]))
  const changes = {
    written: [...last.values()].map((entry) => writtenVariable(deps, entry, byKey.get(entry.key))),
    removed: new Set(removed)
  }
  const keys = changedKeys(rows, changes)
  const touched = new Set([...keys.added, ...keys.changed, ...keys.removed])
  const isHeld = (variable: { id: string }) =>
    changes.written.some((one) => one.id === variable.id) || rows.some((row) => row.id === variable.id)
  const answer: EnvChanges = { ...keys, projects: [], broken: [] }
  for (const project of await affectedProjects(deps, holder)) {
    const before = await readEnvironmentFacts(deps, deps.db, project.id)
    const replace = (list: readonly EnvVarFacts[], isThis: boolean) => (isThis ? applyChanges(list, changes) : list)
    const after = {
      ...before,
      own: replace(before.own, 'projectId' in holder),
      groups: before.groups.map(({ id, name, variables: list }) => ({
        name,
        variables: replace(list, 'groupId' in holder && id === holder.groupId)
      }))
    }
    const need = needOf(before, after, (variable) => isHeld(variable) && touched.has(variable.key))
    const needs = project.liveDeploymentId === null ? 'NOTHING' : need
    answer.projects.push({ id: project.id, name: project.name, needs })
    answer.broken.push(...brokenReferences(before, after).map((broken) => ({ project: project.name, ...broken })))
  }
  return answer
}

function writtenVariable(
  deps: Pick<Dependencies, 'secretBox'>,
  { key, value, scope, processes }: Proposal['variables'][number],
  row: EnvVarRow | undefined
): WrittenVariable {
  const next = {
    scope: scope ?? row?.scope ?? 'BOTH',
    processes: processes === undefined ? (row?.processes ?? null) : processes
  }
  const isSame =
    row !== undefined &&
    sourceOf(deps, row) === value &&
    row.scope === next.scope &&
    JSON.stringify(row.processes) === JSON.stringify(next.processes)
  return {
    id: row?.id ?? `new ${key}`,
    key,
    references: referencesIn(key, value),
    scope: next.scope,
    isChanged: !isSame
  }
}

async function affectedProjects(deps: Dependencies, holder: Holder) {
  if ('groupId' in holder) return listAttachedProjects(deps.db, [holder.groupId])
  const project = await findProject(deps.db, holder.projectId)
  return project ? [project] : []
}
