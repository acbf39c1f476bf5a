import { Id, type Pagination, pagination } from '@panel/contract/common'
import { CreateMailboxImport, type MailboxImport, type MailboxImportQuery } from '@panel/contract/mailbox-imports'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { addressOf } from '../mailboxes/mail-address.policy.ts'
import { refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { getOwnMailbox, type MailboxRow } from '../mailboxes/mailbox-access.ts'
import { getActor } from '../users/account-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { mailboxImportView } from './mailbox-import-view.ts'
import {
  countOpenImports,
  findImport,
  insertImport,
  listImports,
  type MailboxImportRow,
  moveImport,
  pruneImports
} from './mailbox-imports.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now' | 'secretBox'>

const maxOpen = 50
const keptImports = 50

const defaultPorts = { TLS: 993, STARTTLS: 143 } as const

/** Queues an import. Runs in the worker, which encrypts the password: no other process stores it. */
export const startImport = workerVerb(
  'mailbox-moves.import',
  [Origin, Id, Id, CreateMailboxImport],
  async (
    deps: Deps,
    origin: AuditOrigin,
    userId: string,
    mailboxId: string,
    input: CreateMailboxImport
  ): Promise<MailboxImport> => {
    refuseWithoutMail(deps)
    const row = await accountTransaction(deps.db, userId, async (trx) => {
      await getActor(trx, userId)
      const mailbox = await getOwnMailbox(trx, mailboxId, userId)
      if ((await countOpenImports(trx, userId)) >= maxOpen)
        throw new AppError('CONFLICT', `You have ${maxOpen} open imports, the maximum. Wait for one to end.`)
      const now = deps.now()
      const row = await insertImport(trx, {
        id: newId(now.getTime()),
        mailboxId,
        userId,
        host: input.host,
        port: input.port ?? defaultPorts[input.security],
        security: input.security,
        username: input.username,
        password: deps.secretBox.seal(input.password),
        folders: input.folders ?? null,
        queuedAt: now,
        notBefore: now,
        createdAt: now,
        updatedAt: now
      })
      if (!row)
        throw new AppError(
          'CONFLICT',
          'An import into this mailbox is already in progress. Wait for it to end, or cancel it.'
        )
      await pruneImports(trx, mailboxId, keptImports)
      await record(deps, trx, origin, mailbox, row, 'mailbox.import_started')
      await enqueueImport(deps, trx, row)
      return row
    })
    return mailboxImportView(row)
  }
)

/** Wakes a worker, which claims any due import. */
export const enqueueImport = (
  { jobs }: Pick<Dependencies, 'jobs'>,
  trx: Transaction,
  { id, userId }: Pick<MailboxImportRow, 'id' | 'userId'>
): Promise<void> => jobs.enqueue(trx, 'mailbox-moves.import', {}, { key: id, account: userId })

export async function listMailboxImports(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  mailboxId: string,
  query: MailboxImportQuery
): Promise<{ imports: MailboxImport[]; pagination: Pagination }> {
  await getOwnMailbox(db, mailboxId, userId)
  const { rows, total } = await listImports(db, mailboxId, query)
  return { imports: rows.map(mailboxImportView), pagination: pagination(query.page, query.limit, total) }
}

export async function getMailboxImport(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  mailboxId: string,
  id: string
): Promise<MailboxImport> {
  await getOwnMailbox(db, mailboxId, userId)
  return mailboxImportView(requireImport(await findImport(db, mailboxId, id)))
}

export async function cancelImport(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  mailboxId: string,
  id: string
): Promise<MailboxImport> {
  return accountTransaction(deps.db, userId, async (trx) => {
    const mailbox = await getOwnMailbox(trx, mailboxId, userId)
    const found = requireImport(await findImport(trx, mailboxId, id))
    const row = await moveImport(trx, found.id, 'CANCELLED', deps.now(), { reason: null })
    if (!row) throw new AppError('CONFLICT', 'The import has already ended')
    await record(deps, trx, origin, mailbox, row, 'mailbox.import_cancelled')
    return mailboxImportView(row)
  })
}

function requireImport(row: MailboxImportRow | undefined): MailboxImportRow {
  if (!row) throw new AppError('NOT_FOUND', 'Import not found')
  return row
}

const record = (
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  mailbox: MailboxRow,
  { id, host, username }: MailboxImportRow,
  action: 'mailbox.import_started' | 'mailbox.import_cancelled'
): Promise<void> =>
  recordAudit(deps, trx, origin, {
    action,
    actorId: mailbox.userId,
    targetId: mailbox.id,
    metadata: { address: addressOf(mailbox), import: id, host, username }
  })
