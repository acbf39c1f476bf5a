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

/** The others are not masked: they are ordinary words in logs, such as a table, host or engine name. */
const secretVariables = new Set<keyof Variables>(['DATABASE_URL', 'DB_PASSWORD'])

/** They would be overwritten. */
export async function refuseTakenVariables(trx: Transaction, projectId: string): Promise<void> {
  const keys = new Set((await listEnvVarFacts(trx, { projectId })).map((variable) => variable.key))
  const taken = injectedVariables.filter((name) => keys.has(name))
  if (taken.length > 0)
    throw new AppError(
      'DATABASE_VARIABLES_EXIST',
      `The project already has ${taken.join(', ')}. Delete them first, or link the database without adding its variables.`
    )
}

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
    databaseId,
    key,
    value: deps.secretBox.seal(variables[key]),
    sensitive: secretVariables.has(key),
    createdAt: now,
    updatedAt: now
  }))
  await upsertEnvVars(trx, { projectId }, rows, { overwrite: false, now })
  const problem = projectTotalProblem(await measureEnvVars(trx, { projectId }))
  if (problem !== undefined) throw new AppError('VALIDATION_ERROR', `The variables were not added. ${problem}`)
}

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

/** Removes the database's variables; those that were edited by hand since stay. */
export const removeDatabaseVariables = (trx: Transaction, databaseId: string): Promise<void> =>
  deleteEnvVarsOfDatabase(trx, databaseId)
