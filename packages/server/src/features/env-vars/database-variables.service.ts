import { injectedVariables } from '@panel/contract/databases'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { projectTotalProblem } from './env-file.policy.ts'
import {
  deleteEnvVarsOfDatabase,
  listEnvVarFacts,
  measureEnvVars,
  listEnvVarsOfDatabase,
  updateEnvVar,
  upsertEnvVars
} from './env-vars.repository.ts'

type Deps = Pick<Dependencies, 'now' | 'secretBox'>
type Variables = Record<(typeof injectedVariables)[number], string>

/** The others would be cut out of every log that names a table, a host or an engine. */
const secretVariables = new Set<keyof Variables>(['DATABASE_URL', 'DB_PASSWORD'])

/** Refuses a project that has variables of the names already, by hand or of another database: they would be lost. */
export async function refuseTakenVariables(trx: Transaction, projectId: string): Promise<void> {
  const keys = new Set((await listEnvVarFacts(trx, projectId)).map((variable) => variable.key))
  const taken = injectedVariables.filter((name) => keys.has(name))
  if (taken.length > 0)
    throw new AppError(
      'DATABASE_VARIABLES_EXIST',
      `The project has ${taken.join(', ')} already; delete them first, or link without autoInjectEnv`
    )
}

/** Gives a project the variables of a database. The caller holds the project's lock. */
export async function addDatabaseVariables(
  deps: Deps,
  trx: Transaction,
  { projectId, databaseId }: { projectId: string; databaseId: string },
  variables: Variables
): Promise<void> {
  await refuseTakenVariables(trx, projectId)
  const now = deps.now()
  const rows = injectedVariables.map((key) => ({
    id: newId(now.getTime()),
    projectId,
    databaseId,
    key,
    value: deps.secretBox.seal(variables[key]),
    sensitive: secretVariables.has(key),
    createdAt: now,
    updatedAt: now
  }))
  await upsertEnvVars(trx, rows, { overwrite: false, now })
  const problem = projectTotalProblem(await measureEnvVars(trx, projectId))
  if (problem !== undefined) throw new AppError('VALIDATION_ERROR', `The variables were not added. ${problem}`)
}

/** New values for those that are still the database's. Resolves with whether there were any. */
export async function updateDatabaseVariables(
  deps: Deps,
  trx: Transaction,
  databaseId: string,
  variables: Partial<Variables>
): Promise<boolean> {
  const rows = (await listEnvVarsOfDatabase(trx, databaseId)).filter(({ key }) => key in variables)
  for (const row of rows) {
    const value = variables[row.key as keyof Variables]!
    if (deps.secretBox.open(row.value) !== value)
      await updateEnvVar(trx, row.id, { value: deps.secretBox.seal(value), updatedAt: deps.now() })
  }
  return rows.length > 0
}

/** Takes away what the database brought; what somebody has set by hand since stays. */
export const removeDatabaseVariables = (trx: Transaction, databaseId: string): Promise<void> =>
  deleteEnvVarsOfDatabase(trx, databaseId)
