import { join } from 'node:path'
import type { MailboxBackupList, Restore } from '@panel/contract/backups'
import { Id } from '@panel/contract/common'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { isStaged, makeStagingDirectory, readStagedText, removeStaged } from '../../infra/staging/staging.ts'
import { mailRestoring } from '../../process/paths.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { addressOf } from '../mailboxes/mail-address.policy.ts'
import { refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { exchangeMail } from '../mailboxes/mail-exchange.service.ts'
import { getOwnMailbox, type MailboxRow } from '../mailboxes/mailbox-access.ts'
import { restoreView } from './backup-view.ts'
import { findPanelBackup, findTarget, listPanelBackups } from './backups.repository.ts'
import { enqueueRestore, requireGood } from './backups.service.ts'
import { manifestName } from './stage-backup.service.ts'
import { PanelManifest } from './panel-manifest.ts'
import { findRestore, insertRestore, listMailboxRestores, moveRestore, type RestoreRow } from './restores.repository.ts'
import { openRepository, requireTarget } from './targets.service.ts'

const listed = 50
export const undoMs = 7 * 24 * 3600_000

/** Backups of the panel that can have mail of this mailbox. */
export async function showMailboxBackups(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  mailboxId: string
): Promise<MailboxBackupList> {
  const { createdAt } = await getOwnMailbox(db, mailboxId, userId)
  const rows = await listPanelBackups(db, createdAt, listed)
  return {
    backups: rows.map(({ backup, targetName }) => ({
      id: backup.id,
      targetName,
      startedAt: backup.startedAt!.toISOString()
    }))
  }
}

export async function showMailboxRestores(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  mailboxId: string
): Promise<{ restores: Restore[] }> {
  await getOwnMailbox(db, mailboxId, userId)
  return { restores: (await listMailboxRestores(db, mailboxId, listed)).map(restoreView) }
}

/** Rejects with NOT_FOUND for a backup that is older than the mailbox. */
export async function getMailboxBackup(
  db: Queryable,
  userId: string,
  mailboxId: string,
  backupId: string
): Promise<MailboxRow> {
  const mailbox = await getOwnMailbox(db, mailboxId, userId)
  const { backup } = requireGood(await findPanelBackup(db, backupId))
  if (backup.startedAt! < mailbox.createdAt) throw new AppError('NOT_FOUND', 'Backup not found')
  return mailbox
}

export async function startMailboxRestore(
  deps: Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  mailboxId: string,
  backupId: string
): Promise<Restore> {
  return deps.db.transaction(async (trx) => {
    const mailbox = await getMailboxBackup(trx, userId, mailboxId, backupId)
    refuseWithoutMail(deps)
    const now = deps.now()
    const row = await insertRestore(trx, {
      id: newId(now.getTime()),
      mailboxId,
      userId,
      backupId,
      kind: 'MAILBOX',
      createdAt: now,
      updatedAt: now
    })
    if (!row) throw new AppError('CONFLICT', 'Another restore of this mailbox is in progress. Wait until it ends.')
    await record(deps, trx, origin, row, mailbox, 'mailbox.mail_restore_requested')
    await enqueueRestore(deps, trx, row)
    return restoreView(row)
  })
}

const namesOf = ({ id }: Pick<RestoreRow, 'id'>) => ({
  incoming: `${id}-new`,
  previous: `${id}-old`,
  late: `${id}-late`
})

/** Once the previous mail was archived, a restore can only be finished. */
export async function isExchangingMail(
  { mailServer }: Pick<Dependencies, 'mailServer'>,
  row: RestoreRow
): Promise<boolean> {
  const { previous } = namesOf(row)
  return (await mailServer.readKept([previous])).has(previous)
}

/** Restores beside the mailbox, and exchanges its mail once all of it is there. */
export async function restoreMailbox(
  deps: Dependencies,
  row: RestoreRow,
  signal: AbortSignal
): Promise<'later' | void> {
  const mailbox = await getOwnMailbox(deps.db, row.mailboxId!, row.userId)
  // A deleted mailbox that came back first gets the mail that was kept.
  if (row.accountRestoreId !== null && mailbox.keptAt !== null) return 'later'
  const staging = join(mailRestoring(deps.config), row.id)
  let hasMail = true
  if (!(await isExchangingMail(deps, row))) {
    const directory = await fetchMail(deps, row, mailbox, staging, signal)
    hasMail = directory !== undefined
    // A mailbox that never got mail has none, and its account comes back all the same.
    if (!hasMail && row.accountRestoreId === null)
      throw new AppError('NOT_FOUND', 'The backup has no mail of this mailbox.')
    if (directory !== undefined) await deps.mailServer.keepRestored(directory, namesOf(row).incoming)
  }
  if (hasMail) await exchangeMail(deps, mailbox, namesOf(row))
  await deps.db.transaction(async (trx) => {
    const undoUntil = hasMail ? new Date(deps.now().getTime() + undoMs) : null
    if (!(await moveRestore(trx, row, 'COMPLETED', deps.now(), { undoUntil }))) return
    await record(deps, trx, {}, row, mailbox, 'mailbox.mail_restored')
  })
  await removeStaged(staging)
}

async function fetchMail(
  deps: Dependencies,
  { backupId }: RestoreRow,
  mailbox: MailboxRow,
  staging: string,
  signal: AbortSignal
): Promise<string | undefined> {
  const { backup } = requireGood(await findPanelBackup(deps.db, backupId))
  const repository = openRepository(deps, requireTarget(await findTarget(deps.db, backup.targetId)))
  await removeStaged(staging)
  await makeStagingDirectory(staging)
  const fetch = (path: string) =>
    deps.backupRepository.restore(repository, backup.snapshotId!, { path, directory: staging, signal })
  await fetch(`/${manifestName}`)
  const { mailboxes } = PanelManifest.parse(JSON.parse((await readStagedText(join(staging, manifestName))) ?? '{}'))
  const path = `/mail/${mailbox.domainName}/${mailbox.localPart}`
  // The address may have belonged to another account then.
  if (mailboxes[mailbox.id] === addressOf(mailbox)) await fetch(path)
  const directory = join(staging, path)
  return (await isStaged(directory)) ? directory : undefined
}

/** Removes what a failed restore left, and the mail that was kept for undoing it. */
export async function dropMailboxRestore(
  deps: Pick<Dependencies, 'config' | 'mailServer'>,
  row: RestoreRow
): Promise<void> {
  await removeStaged(join(mailRestoring(deps.config), row.id))
  for (const name of [...Object.values(namesOf(row)), undoneName(row)]) await deps.mailServer.purge(name)
}

const undoneName = ({ id }: Pick<RestoreRow, 'id'>): string => `${id}-undone`

/** Puts the mail from before the restore back. Mail that arrived since goes. */
export const undoMailboxRestore = workerVerb(
  'backups.undoMailboxRestore',
  [Origin, Id, Id, Id],
  async (
    deps: Dependencies,
    origin: AuditOrigin,
    userId: string,
    mailboxId: string,
    restoreId: string
  ): Promise<Restore> => {
    const mailbox = await getOwnMailbox(deps.db, mailboxId, userId)
    const row = await requireMailboxRestore(deps.db, mailboxId, restoreId)
    if (row.status !== 'COMPLETED' || row.undoUntil === null)
      throw new AppError('CONFLICT', 'This restore cannot be undone: nothing from before it is kept.')
    const { previous, late } = namesOf(row)
    await exchangeMail(deps, mailbox, { incoming: previous, previous: undoneName(row), late })
    const undone = await deps.db.transaction(async (trx) => {
      const undone = await moveRestore(trx, row, 'UNDONE', deps.now(), { undoUntil: null })
      if (!undone) throw new AppError('CONFLICT', 'This restore was changed by another request.')
      await record(deps, trx, origin, row, mailbox, 'mailbox.mail_restore_undone')
      return undone
    })
    await dropMailboxRestore(deps, row)
    return restoreView(undone)
  }
)

export async function requireMailboxRestore(
  db: Dependencies['db'],
  mailboxId: string,
  id: string
): Promise<RestoreRow> {
  const row = await findRestore(db, id)
  if (row?.mailboxId !== mailboxId) throw new AppError('NOT_FOUND', 'Restore not found')
  return row
}

const record = (
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Parameters<typeof recordAudit>[1],
  origin: AuditOrigin,
  { id, backupId, userId }: RestoreRow,
  mailbox: MailboxRow,
  action: 'mailbox.mail_restore_requested' | 'mailbox.mail_restored' | 'mailbox.mail_restore_undone'
): Promise<void> =>
  recordAudit(deps, trx, origin, {
    action,
    actorId: userId,
    targetId: mailbox.id,
    metadata: { mailbox: addressOf(mailbox), backup: backupId, restore: id }
  })
