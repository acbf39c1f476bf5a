import { words } from '@panel/contract/details'
import { type Pagination, pagination } from '@panel/contract/common'
import {
  type CreateMailbox,
  isPasswordHash,
  type Mailbox,
  type MailboxQuery,
  type UpdateMailbox
} from '@panel/contract/mailboxes'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { requireAccountSpace } from '../disk-usage/disk-usage-access.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import { lockUser, type UserRow } from '../users/account-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { hashPassword } from '../users/password.service.ts'
import { claimQuota } from '../users/quotas.service.ts'
import { addressOf } from './mail-address.policy.ts'
import { tryApplyMailDomain } from './mail-apply.service.ts'
import { lockMailDomain, markMailDomainChanged } from './mail-domains.repository.ts'
import { lockForMail, refuseWithoutMail } from './mail-domain-access.ts'
import { openDomain } from './mail-opening.service.ts'
import { getOwnMailbox, requireMailbox } from './mailbox-access.ts'
import { mailboxQuotaProblem } from './mailbox-quota.policy.ts'
import { readUsage } from './mailbox-usage.service.ts'
import { mailboxView } from './mailbox-view.ts'
import {
  countMailboxesOfDomains,
  insertMailbox,
  lockMailbox,
  type MailboxRow,
  newPassword,
  searchMailboxes,
  sumQuotas,
  updateMailbox
} from './mailboxes.repository.ts'

export async function listMailboxes(
  deps: Pick<Dependencies, 'db' | 'logger' | 'mailServer'>,
  userId: string,
  query: MailboxQuery
): Promise<{ mailboxes: Mailbox[]; pagination: Pagination }> {
  const { rows, total } = await searchMailboxes(deps.db, userId, query)
  const usageOf = await readUsage(deps, userId, rows)
  return {
    mailboxes: rows.map((row) => mailboxView(row, usageOf(row))),
    pagination: pagination(query.page, query.limit, total)
  }
}

export async function showMailbox(
  deps: Pick<Dependencies, 'db' | 'logger' | 'mailServer'>,
  userId: string,
  id: string
): Promise<Mailbox> {
  return viewOf(deps, await getOwnMailbox(deps.db, id, userId))
}

export async function createMailbox(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  input: CreateMailbox
): Promise<Mailbox> {
  refuseWithoutMail(deps)
  const { hostname } = await getOwnDomain(deps.db, input.domainId, userId)
  await requireAccountSpace(deps, userId)
  const passwordHash = await hashOf(deps, userId, input.password, `${input.localPart}@${hostname}`)
  const { row, domain, isFirst } = await accountTransaction(deps.db, userId, async (trx) => {
    const account = await claimQuota(deps, trx, userId, 'maxMailboxes')
    const domain = await lockForMail(deps, trx, input.domainId, userId)
    const isFirst = (await countMailboxesOfDomains(trx, [domain.id])) === 0
    const now = deps.now()
    const id = newId()
    await requireQuota(deps, trx, account, { id, quotaMb: input.quota })
    const row = await insertMailbox(trx, {
      id,
      domainId: domain.id,
      domainName: domain.hostname,
      userId,
      nodeId: deps.nodeId,
      localPart: input.localPart,
      passwordHash,
      quotaMb: input.quota,
      createdAt: now,
      updatedAt: now
    })
    if (!row) throw mailboxExists(`${input.localPart}@${domain.hostname}`)
    await markMailDomainChanged(trx, domain.id, now, isFirst ? { isOpening: true } : {})
    await record(deps, trx, origin, row, 'mailbox.created', { quota: row.quotaMb })
    return { row, domain, isFirst }
  })
  await tryApplyMailDomain(deps, row.domainName)
  if (isFirst) await openDomain(deps, domain)
  return viewOf(deps, row)
}

export const mailboxExists = (address: string) =>
  new AppError('MAILBOX_EXISTS', `The mailbox ${address} already exists. Choose another address.`)

export async function changeMailbox(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: UpdateMailbox
): Promise<Mailbox> {
  const before = await getOwnMailbox(deps.db, id, userId)
  const passwordHash =
    input.password === undefined ? undefined : await hashOf(deps, userId, input.password, addressOf(before))
  const row = await changeRow(deps, userId, id, async (trx, current, account) => {
    if (input.quota !== undefined && input.quota > current.quotaMb)
      await requireQuota(deps, trx, account, { id, quotaMb: input.quota })
    const values = given({ quotaMb: input.quota, isEnabled: input.enabled })
    const changed = Object.entries(values).filter(([name, value]) => current[name as keyof MailboxRow] !== value)
    if (changed.length > 0)
      await record(deps, trx, origin, current, 'mailbox.updated', {
        before: { quota: current.quotaMb, enabled: current.isEnabled },
        after: {
          quota: current.quotaMb,
          enabled: current.isEnabled,
          ...given({ quota: input.quota, enabled: input.enabled })
        }
      })
    if (passwordHash !== undefined) await record(deps, trx, origin, current, 'mailbox.password_changed')
    return { ...values, ...(passwordHash === undefined ? {} : newPassword(passwordHash)) }
  })
  return viewOf(deps, row)
}

/** Rows first, then the mail servers; if they are unavailable, the reconcile loop applies the change. */
export async function changeRow(
  deps: Dependencies,
  userId: string,
  id: string,
  decide: (trx: Transaction, current: MailboxRow, account: UserRow) => Promise<Partial<MailboxRow>>
): Promise<MailboxRow> {
  const { domainId } = await getOwnMailbox(deps.db, id, userId)
  const row = await accountTransaction(deps.db, userId, async (trx) => {
    // Same lock order as in createMailbox.
    const account = await lockUser(trx, userId)
    await lockMailDomain(trx, domainId!)
    const current = requireMailbox(await lockMailbox(trx, id, userId))
    requireMailbox(current.deletedAt === null ? current : undefined)
    const row = await updateMailbox(trx, id, await decide(trx, current, account!), deps.now())
    await markMailDomainChanged(trx, row.domainId!, deps.now())
    return row
  })
  await tryApplyMailDomain(deps, row.domainName)
  return row
}

/** The account must be locked, so that concurrent requests do not both use the remaining quota. */
async function requireQuota(
  { now }: Pick<Dependencies, 'now'>,
  trx: Transaction,
  { id: userId, maxDiskMb }: UserRow,
  { id, quotaMb }: { id: string; quotaMb: number }
): Promise<void> {
  const othersMb = await sumQuotas(trx, userId, id, now())
  const problem = mailboxQuotaProblem({ maxDiskMb, othersMb, quotaMb })
  if (problem !== undefined) throw new AppError('QUOTA_EXCEEDED', problem)
}

async function viewOf(deps: Pick<Dependencies, 'logger' | 'mailServer'>, row: MailboxRow): Promise<Mailbox> {
  return mailboxView(row, (await readUsage(deps, row.userId, [row]))(row))
}

async function hashOf(
  deps: Pick<Dependencies, 'config'>,
  userId: string,
  password: string,
  address: string
): Promise<string> {
  if (isPasswordHash(password)) return password
  if (password.toLowerCase() === address)
    throw new AppError('VALIDATION_ERROR', 'password must not be the address of the mailbox', {
      details: [{ path: 'password', message: words.MAILBOX_AS_PASSWORD }]
    })
  return hashPassword(deps, userId, password)
}

type MailboxAction = Extract<Parameters<typeof recordAudit>[3]['action'], `mailbox.${string}`>

export async function record(
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  mailbox: MailboxRow,
  action: MailboxAction,
  metadata: object = {}
): Promise<void> {
  const entry = {
    actorId: mailbox.userId,
    targetId: mailbox.id,
    metadata: { address: addressOf(mailbox), ...metadata }
  }
  await recordAudit(deps, trx, origin, { action, ...entry })
}

function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
