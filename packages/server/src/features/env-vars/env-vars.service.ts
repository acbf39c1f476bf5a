import { Id } from '@panel/contract/common'
import { EnvKey, type EnvVar, type SetEnvVars } from '@panel/contract/env-vars'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { getOwnEnvGroup } from './env-group-access.ts'
import { maskedView } from './env-var-view.ts'
import { idOf, HolderSchema, placeOf, writeVariables } from './env-vars-writing.service.ts'
import { deleteEnvVar, type EnvVarRow, findEnvVar, listEnvVarFacts, listEnvVars } from './env-vars.repository.ts'
import type { Holder } from './holder.types.ts'
import { renderEnvFile } from './env-format.policy.ts'
import { escapeReferences } from './reference.policy.ts'

/** The caller's project (404, 403) or group (404). */
export async function requireOwnHolder(db: Queryable, userId: string, holder: Holder): Promise<void> {
  if ('projectId' in holder) await getOwnProject(db, holder.projectId, userId)
  else await getOwnEnvGroup(db, holder.groupId, userId)
}

export async function listMasked(deps: Pick<Dependencies, 'db'>, userId: string, holder: Holder): Promise<EnvVar[]> {
  await requireOwnHolder(deps.db, userId, holder)
  return (await listEnvVarFacts(deps.db, holder)).map(maskedView)
}

export const exportEnvFile = workerVerb('envVars.export', [Id, HolderSchema], exportEnvFileHere, { isSecret: true })

async function exportEnvFileHere(deps: Dependencies, userId: string, holder: Holder): Promise<string> {
  await requireOwnHolder(deps.db, userId, holder)
  const rows = await listEnvVars(deps.db, holder)
  return renderEnvFile(rows.map((row) => ({ key: row.key, value: sourceOf(deps, row) })))
}

export const revealEnvVar = workerVerb('envVars.reveal', [Id, HolderSchema, EnvKey], revealEnvVarHere, {
  isSecret: true
})

async function revealEnvVarHere(deps: Dependencies, userId: string, holder: Holder, key: string) {
  await requireOwnHolder(deps.db, userId, holder)
  const row = await findEnvVar(deps.db, holder, key)
  if (!row) throw notFound(key)
  return {
    id: row.id,
    key: row.key,
    value: sourceOf(deps, row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

export async function setEnvVars(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  holder: Holder,
  input: SetEnvVars
): Promise<EnvVar[]> {
  await requireOwnHolder(deps.db, userId, holder)
  const entries = 'variables' in input ? input.variables : [input]
  const audit = { action: 'env_var.set', actorId: userId, targetId: idOf(holder) } as const
  return writeVariables(deps, { origin, audit, holder, entries, overwrite: true })
}

export async function removeEnvVar(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  holder: Holder,
  key: string
): Promise<void> {
  await requireOwnHolder(deps.db, userId, holder)
  await deps.db.transaction(async (trx) => {
    if (!(await deleteEnvVar(trx, holder, key))) throw notFound(key)
    const entry = { actorId: userId, targetId: idOf(holder), metadata: { ...placeOf(holder), keys: [key] } }
    await recordAudit(deps, trx, origin, { action: 'env_var.deleted', ...entry })
  })
}

/** The value as it was written, with its references. */
export const sourceOf = ({ secretBox }: Pick<Dependencies, 'secretBox'>, { value, references }: EnvVarRow): string => {
  const text = secretBox.open(value)
  return references === null ? escapeReferences(text) : text
}

const notFound = (key: string) => new AppError('NOT_FOUND', `Variable ${key} not found`)
