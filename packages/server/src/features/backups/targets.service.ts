import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Id } from '@panel/contract/common'
import { type BackupTarget, ConfirmBackupKey, CreateBackupTarget, type NewBackupTarget } from '@panel/contract/backups'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { Repository, RepositoryPlace } from '../../infra/backup-repository/backup-repository.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { findUser } from '../users/account-access.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { targetView } from './backup-view.ts'
import { placeInWords } from './place-in-words.policy.ts'
import { countRunning, deleteTarget, findTarget, insertTarget, listTargets, type TargetRow, updateTarget } from './backups.repository.ts' // oxfmt-ignore

type Deps = Pick<Dependencies, 'backupRepository' | 'config' | 'db' | 'now' | 'secretBox'>

export const showTargets = async ({ db }: Pick<Deps, 'db'>): Promise<{ targets: BackupTarget[] }> => ({
  targets: (await listTargets(db)).map(targetView)
})

/** Creates the repository before the row, so that a target in the list was reached once. */
export const addTarget = workerVerb(
  'backups.addTarget',
  [Origin, Id, CreateBackupTarget],
  async (deps: Deps, origin: AuditOrigin, userId: string, input: CreateBackupTarget): Promise<NewBackupTarget> => {
    const { name, ...place } = input
    const now = deps.now()
    const id = newId(now.getTime())
    // 192 bits, in groups that are easy to type.
    const key = randomBytes(24).toString('hex').match(/.{8}/g)!.join('-')
    await deps.backupRepository.create({ id, place: place as RepositoryPlace, key }).catch(withReason)
    return deps.db.transaction(async (trx) => {
      const row = await insertTarget(trx, {
        id,
        holdsPanel: (await findUser(trx, userId))?.role === 'ADMIN',
        name,
        kind: place.kind,
        location: placeInWords(place as RepositoryPlace),
        encryptedPlace: deps.secretBox.seal(JSON.stringify(place)),
        encryptedKey: deps.secretBox.seal(key),
        createdAt: now,
        updatedAt: now
      })
      if (!row) throw new AppError('CONFLICT', `There is a backup target named ${name}. Choose another name.`)
      await record(deps, trx, origin, userId, row, 'backup_target.created')
      return { ...targetView(row), key }
    })
  },
  { isSecret: true }
)

/** The administrator who adds a target needs the program's own words. */
function withReason(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  throw new AppError('BACKUP_TARGET_UNREACHABLE', error.message, { cause: error })
}

export const confirmTarget = workerVerb(
  'backups.confirmTarget',
  [Origin, Id, Id, ConfirmBackupKey],
  async (deps: Deps, origin: AuditOrigin, userId: string, id: string, input: { key: string }) => {
    const row = requireTarget(await findTarget(deps.db, id))
    if (!isEqual(deps.secretBox.open(row.encryptedKey), input.key.trim()))
      throw new AppError('INVALID_TARGET', 'This is not the key of the target. Check the key you kept.')
    return deps.db.transaction(async (trx) => {
      const confirmed = requireTarget(await updateTarget(trx, id, { isKeyConfirmed: true }, deps.now()))
      await record(deps, trx, origin, userId, confirmed, 'backup_target.confirmed')
      return targetView(confirmed)
    })
  }
)

/** The backups on the target stay there; only the panel forgets them. */
export async function removeTarget(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const row = requireTarget(await findTarget(trx, id))
    if (row.workerId !== null || (await countRunning(trx, id)) > 0)
      throw new AppError('CONFLICT', 'A backup to this target, or a check of it, is running. Wait until it ends.')
    await deleteTarget(trx, id)
    await record(deps, trx, origin, userId, row, 'backup_target.deleted')
  })
}

export const openRepository = ({ secretBox }: Pick<Deps, 'secretBox'>, row: TargetRow): Repository => ({
  id: row.id,
  place: JSON.parse(secretBox.open(row.encryptedPlace)) as RepositoryPlace,
  key: secretBox.open(row.encryptedKey)
})

export function requireTarget(row: TargetRow | undefined): TargetRow {
  if (!row) throw new AppError('NOT_FOUND', 'Backup target not found')
  return row
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const record = (
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Parameters<typeof recordAudit>[1],
  origin: AuditOrigin,
  actorId: string,
  { id, name, location }: TargetRow,
  action: 'backup_target.created' | 'backup_target.confirmed' | 'backup_target.deleted'
): Promise<void> => recordAudit(deps, trx, origin, { action, actorId, targetId: id, metadata: { name, location } })
