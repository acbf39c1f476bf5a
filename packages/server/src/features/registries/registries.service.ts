import { Id } from '@panel/contract/common'
import { type Registry, type RegistryList, SetRegistry } from '@panel/contract/registries'
import { lockName } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import {
  deleteRegistry,
  findRegistry,
  listRegistries,
  type RegistryRow,
  saveRegistry
} from './registries.repository.ts'
import { registryHostOf } from './registry-host.policy.ts'

const maxRegistries = 50

export async function listOwnRegistries({ db }: Pick<Dependencies, 'db'>, userId: string): Promise<RegistryList> {
  return { registries: (await listRegistries(db, userId)).map(viewOf) }
}

export async function getOwnRegistry(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  id: string
): Promise<RegistryRow> {
  const row = await findRegistry(db, userId, id)
  if (!row) throw new AppError('NOT_FOUND', 'Registry not found')
  return row
}

/** Replaces those of the same host. Runs in the worker, which has the encryption key. */
export const setRegistry = workerVerb('registries.set', [Origin, Id, SetRegistry], setHere)

async function setHere(
  deps: Pick<Dependencies, 'config' | 'db' | 'imageRegistry' | 'now' | 'secretBox'>,
  origin: AuditOrigin,
  userId: string,
  input: SetRegistry
): Promise<Registry> {
  const host = registryHostOf(input.host)
  const { username, secret } = input
  await deps.imageRegistry.checkLogin({ host, username, secret })
  const now = deps.now()
  return deps.db.transaction(async (trx) => {
    await lockName(trx, `registries:${userId}`)
    const existing = await listRegistries(trx, userId)
    if (existing.length >= maxRegistries && !existing.some((row) => row.host === host))
      throw new AppError(
        'CONFLICT',
        `You have credentials for ${maxRegistries} registries, the maximum. Remove some first.`
      )
    const row = await saveRegistry(trx, {
      id: newId(now.getTime()),
      userId,
      host,
      username,
      secret: deps.secretBox.seal(secret),
      createdAt: now,
      updatedAt: now
    })
    const entry = { actorId: userId, targetId: row.id, metadata: { host, username } }
    await recordAudit(deps, trx, origin, { action: 'image_registry.saved', ...entry })
    return viewOf(row)
  })
}

export async function removeRegistry(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  await getOwnRegistry(deps, userId, id)
  await deps.db.transaction(async (trx) => {
    const row = await deleteRegistry(trx, userId, id)
    if (!row) return
    const entry = { actorId: userId, targetId: id, metadata: { host: row.host } }
    await recordAudit(deps, trx, origin, { action: 'image_registry.deleted', ...entry })
  })
}

/** Without the secret. */
const viewOf = ({ id, host, username, createdAt, updatedAt }: RegistryRow): Registry => ({
  id,
  host,
  username,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
