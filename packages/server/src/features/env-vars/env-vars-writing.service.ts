import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { EnvKey, EnvValue, type EnvVar, VariableScope } from '@panel/contract/env-vars'
import { ProcessName } from '@panel/contract/processes'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, type NewAuditEntry, recordAudit } from '../audit/recording.service.ts'
import { lockProject } from '../projects/project-access.ts'
import { projectTotalProblem } from './env-file.policy.ts'
import { listAttachedProjects, lockEnvGroups, touchEnvGroup } from './env-groups.repository.ts'
import { maskedView } from './env-var-view.ts'
import { type EnvVarFacts, listEnvVarFacts, measureEnvVars, upsertEnvVars } from './env-vars.repository.ts'
import type { Holder } from './holder.types.ts'
import { requireCircleFree, requireReferences } from './environment.service.ts'
import { parseReferences } from './reference.policy.ts'

// Keeps audit entries of large imports small.
const reportedKeys = 50

export const HolderSchema = z.union([z.object({ projectId: Id }), z.object({ groupId: Id })])
export const idOf = (holder: Holder): string => ('projectId' in holder ? holder.projectId : holder.groupId)

/** For audit entries: the target is a project unless they say otherwise. */
export const placeOf = (holder: Holder): { ofGroup?: true } => ('groupId' in holder ? { ofGroup: true } : {})

interface Entry {
  key: string
  value: string
  sensitive?: boolean | undefined
  scope?: VariableScope | undefined
  processes?: string[] | null | undefined
}

interface Write {
  origin: AuditOrigin
  audit: NewAuditEntry
  holder: Holder
  entries: readonly Entry[]
  overwrite: boolean
}

export const EntriesSchema = z.array(
  z.object({
    key: EnvKey,
    value: EnvValue,
    sensitive: z.boolean().exactOptional(),
    scope: VariableScope.exactOptional(),
    processes: z.array(ProcessName).nullable().exactOptional()
  })
)
const WriteSchema = z.object({
  origin: Origin,
  audit: z.object({ action: z.enum(['env_var.set', 'env_var.imported']), actorId: Id, targetId: Id }),
  holder: HolderSchema,
  entries: EntriesSchema,
  overwrite: z.boolean()
})

/** The caller has checked that the holder is the user's. Writes all entries or none. */
export const writeVariables = workerVerb('envVars.write', [WriteSchema], writeHere)

async function writeHere(deps: Dependencies, { origin, audit, holder, entries, overwrite }: Write): Promise<EnvVar[]> {
  const last = new Map(entries.map((entry) => [entry.key, entry]))
  // Checked before sealing, to reject oversized input cheaply.
  rejectOn(projectTotalProblem(sizeOf([...last.values()])))
  const now = deps.now()
  const rows = [...last.values()].map(({ value, ...given }) => ({
    ...given,
    id: newId(now.getTime()),
    value: deps.secretBox.seal(value),
    references: referencesIn(given.key, value),
    createdAt: now,
    updatedAt: now
  }))
  const written = await deps.db.transaction(async (trx) => {
    await lockHolder(trx, holder)
    const kept = new Map((await listEnvVarFacts(trx, holder)).map((row) => [row.key, row]))
    const complete = rows.map((row) => {
      const before = kept.get(row.key)
      return {
        ...row,
        sensitive: row.sensitive ?? before?.sensitive ?? true,
        scope: row.scope ?? before?.scope ?? 'BOTH',
        processes: row.processes === undefined ? (before?.processes ?? null) : row.processes
      }
    })
    const changed = await upsertEnvVars(trx, holder, complete, { overwrite, now })
    rejectOn(projectTotalProblem(await measureEnvVars(trx, holder)))
    await checkReferences(deps, trx, holder, changed)
    if ('groupId' in holder) await touchEnvGroup(trx, holder.groupId, now)
    const keys = changed.map((row) => row.key)
    const metadata = { ...placeOf(holder), count: keys.length, keys: keys.slice(0, reportedKeys) }
    await recordAudit(deps, trx, origin, { ...audit, metadata })
    return changed
  })
  return written.map(maskedView)
}

/** Prevents two writes from passing the limits together. */
async function lockHolder(trx: Transaction, holder: Holder): Promise<void> {
  if ('projectId' in holder) {
    if (!(await lockProject(trx, holder.projectId))) throw new AppError('NOT_FOUND', 'Project not found')
  } else if ((await lockEnvGroups(trx, [holder.groupId])).length === 0)
    throw new AppError('NOT_FOUND', 'Group not found')
}

/** The references of a value. Rejects with VALIDATION_ERROR on a `${{` that is neither a reference nor escaped. */
export function referencesIn(key: string, value: string): string[] {
  const parsed = parseReferences(value)
  if ('invalid' in parsed)
    throw new AppError('VALIDATION_ERROR', { code: 'REFERENCE_INVALID', values: { key, reference: parsed.invalid } })
  return parsed.references
}

/** What is written must resolve in every project that gets it. */
async function checkReferences(
  deps: Dependencies,
  trx: Transaction,
  holder: Holder,
  written: readonly EnvVarFacts[]
): Promise<void> {
  if (written.every(({ references }) => references?.length === 0)) return
  const ids = new Set(written.map(({ id }) => id))
  if ('projectId' in holder) return requireReferences(deps, trx, holder.projectId, ({ id }) => ids.has(id))
  const projects = await listAttachedProjects(trx, [holder.groupId])
  for (const project of projects) await requireReferences(deps, trx, project.id, ({ id }) => ids.has(id))
  if (projects.length === 0) requireCircleFree(await listEnvVarFacts(trx, holder))
}

function rejectOn(problem: string | undefined): void {
  if (problem !== undefined) throw new AppError('VALIDATION_ERROR', `Nothing was saved. ${problem}`)
}

const sizeOf = (entries: readonly { value: string }[]) => ({
  count: entries.length,
  bytes: entries.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0)
})
