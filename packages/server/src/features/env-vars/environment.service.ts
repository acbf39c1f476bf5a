import { maxEnvValueBytes, type standardProcesses, type VariableScope } from '@panel/contract/env-vars'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { ValueDependencies } from '../feature.ts'
import { valueSources } from '../hooks.ts'
import { maxTotalBytes } from './env-file.policy.ts'
import { listGroupsOfProject, listGroupsOfProjects } from './env-groups.repository.ts'
import {
  type EnvVarFacts,
  listEnvVarFactsOf,
  type EnvVarRow,
  listEnvVars,
  listEnvVarsOfGroups
} from './env-vars.repository.ts'
import { createReferenceCheck, type Environment, resolveEnvironment, type ValueText } from './environment.policy.ts'

export interface OpenVariable extends ValueText {
  key: string
  scope: VariableScope
  processes: readonly string[] | null
}

export interface OpenEnvironment {
  variables: OpenVariable[]
  /** Everything to mask in logs: values of sensitive variables, and of databases that a variable refers to. */
  secrets: { key: string; value: string }[]
}

/**
 * The variables of a project as its build and its processes get them: with those of its groups, and with references
 * replaced. Rejects with VALIDATION_ERROR, naming the variable, if a reference does not resolve.
 */
export async function openEnvironment(deps: ValueDependencies, projectId: string): Promise<OpenEnvironment> {
  const environment = await openSources(deps, projectId)
  const values = new Map<string, Readonly<Record<string, ValueText>>>()
  for (const { name, read } of environment.referred) values.set(name, await read(deps))
  const { resolved, problems } = resolveEnvironment(environment, (source, field) => values.get(source)![field]!, limits)
  if (problems[0]) throw new AppError('VALIDATION_ERROR', problems[0])
  const variables = resolved.map(({ variable: { key, scope, processes }, value, sensitive }) => ({
    key,
    value,
    sensitive,
    scope,
    processes
  }))
  return { variables, secrets: [...secretsOf(variables), ...sourceSecrets(deps, environment)] }
}

/** What to mask in the project's output, whether or not all references resolve. */
export async function listSecrets(
  deps: Pick<Dependencies, 'db' | 'features' | 'secretBox'>,
  projectId: string
): Promise<OpenEnvironment['secrets']> {
  const environment = await openSources(deps, projectId)
  // The secrets of a source are masked within longer values too.
  const { resolved } = resolveEnvironment(environment, () => ({ value: '', sensitive: true }), limits)
  const variables = resolved.map(({ variable: { key }, value, sensitive }) => ({ key, value, sensitive }))
  return [...secretsOf(variables), ...sourceSecrets(deps, environment)]
}

const limits = { valueLength: maxEnvValueBytes, totalLength: maxTotalBytes }

const secretsOf = (variables: readonly ({ key: string } & ValueText)[]) =>
  variables.filter(({ sensitive }) => sensitive).map(({ key, value }) => ({ key, value }))

const sourceSecrets = (
  { secretBox }: Pick<Dependencies, 'secretBox'>,
  { referred }: Awaited<ReturnType<typeof openSources>>
) => referred.flatMap(({ secrets }) => secrets(secretBox))

type Variables = readonly OpenVariable[]
// Any text is a process name, since workers have names of their own; the known ones are offered to editors.
type Process = (typeof standardProcesses)[number] | (string & {})

/** The environment of a process: `web`, `release`, `jobs`, or a worker by its name. */
export const environmentOf = (variables: Variables, process: Process): Record<string, string> =>
  asRecord(
    variables.filter(({ scope, processes }) => scope !== 'BUILD' && (processes === null || processes.includes(process)))
  )

/** What the build gets, and which of it must not stay in the image. */
export function buildEnvironmentOf(variables: Variables): {
  buildEnv: Record<string, string>
  secretKeys: { key: string; isForBuildOnly: boolean }[]
} {
  const ofBuild = variables.filter(({ scope }) => scope !== 'RUN')
  return {
    buildEnv: asRecord(ofBuild),
    secretKeys: ofBuild
      .filter(({ sensitive }) => sensitive)
      .map(({ key, scope }) => ({ key, isForBuildOnly: scope === 'BUILD' }))
  }
}

const asRecord = (variables: Variables): Record<string, string> =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]))

async function openSources(deps: Pick<Dependencies, 'db' | 'features' | 'secretBox'>, projectId: string) {
  const sources = (await valueSources(deps, deps.db, [projectId])).get(projectId) ?? []
  const groups = await listGroupsOfProject(deps.db, projectId)
  const ofGroups = await listEnvVarsOfGroups(deps.db, groups.map(({ id }) => id)) // oxfmt-ignore
  const opened = (row: EnvVarRow) => ({ ...row, value: deps.secretBox.open(row.value) })
  const own = (await listEnvVars(deps.db, { projectId })).map(opened)
  const names = new Set(
    [...own, ...ofGroups].flatMap(({ references }) => references ?? []).map((reference) => reference.split('.', 1)[0])
  )
  return {
    own,
    groups: groups.map(({ id, name }) => ({
      name,
      variables: ofGroups.filter(({ groupId }) => groupId === id).map(opened)
    })),
    sources,
    referred: sources.filter(({ name }) => names.has(name))
  }
}

interface EnvironmentFacts extends Environment<EnvVarFacts> {
  groups: readonly { id: string; name: string; variables: readonly EnvVarFacts[] }[]
}

export async function readEnvironmentFacts(
  deps: Pick<Dependencies, 'features'>,
  db: Queryable,
  projectId: string
): Promise<EnvironmentFacts> {
  return (await readEnvironmentsFacts(deps, db, [projectId])).get(projectId)!
}

/** What the references of each project can mean, without values. As many queries for many projects as for one. */
export async function readEnvironmentsFacts(
  deps: Pick<Dependencies, 'features'>,
  db: Queryable,
  projectIds: readonly string[]
): Promise<ReadonlyMap<string, EnvironmentFacts>> {
  const attached = await listGroupsOfProjects(db, projectIds)
  const groupIds = [...new Set(attached.map(({ group }) => group.id))]
  const variables = await listEnvVarFactsOf(db, { projectIds, groupIds })
  const sources = await valueSources(deps, db, projectIds)
  return new Map(
    projectIds.map((id) => [
      id,
      {
        own: variables.filter(({ projectId }) => projectId === id),
        groups: attached
          .filter(({ projectId }) => projectId === id)
          .map(({ group }) => ({
            id: group.id,
            name: group.name,
            variables: variables.filter(({ groupId }) => groupId === group.id)
          })),
        sources: sources.get(id) ?? []
      }
    ])
  )
}

/** Rejects if a reference of these variables does not resolve in the project. */
export async function requireReferences(
  deps: Pick<Dependencies, 'features'>,
  db: Queryable,
  projectId: string,
  isChecked: (variable: EnvVarFacts) => boolean
): Promise<void> {
  const environment = await readEnvironmentFacts(deps, db, projectId)
  const check = createReferenceCheck(environment)
  for (const variable of [environment.own, ...environment.groups.map(({ variables }) => variables)].flat()) {
    const problem = isChecked(variable) ? check(variable) : undefined
    if (problem) throw new AppError('VALIDATION_ERROR', problem)
  }
}

/** For a group that no project has: what it refers to outside is known only in a project. */
export function requireCircleFree(variables: readonly EnvVarFacts[]): void {
  const check = createReferenceCheck({ own: variables, groups: [], sources: [] })
  const circle = variables.map(check).find((problem) => problem?.code === 'REFERENCE_CIRCULAR')
  if (circle) throw new AppError('VALIDATION_ERROR', circle)
}
