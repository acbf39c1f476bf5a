import { type Pagination, pagination } from '@panel/contract/common'
import type { DeletedMailbox, DeletedMailboxQuery, Mailbox } from '@panel/contract/mailboxes'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'
import { findActiveDomain } from '../domains/domain-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { claimQuota } from '../users/quotas.service.ts'
import { keptUntil } from './keeping.policy.ts'
import { tryApplyMailDomain } from './mail-apply.service.ts'
import { lockForMail, refuseWithoutMail } from './mail-domain-access.ts'
import { markMailDomainChanged } from './mail-domains.repository.ts'
import { addressOf } from './mail-address.policy.ts'
import { openDomain } from './mail-opening.service.ts'
import { getDeletedMailbox, requireMailbox } from './mailbox-access.ts'
import { deletedMailboxView, mailboxView } from './mailbox-view.ts'
import { changeRow, mailboxExists, record } from './mailboxes.service.ts'
import { countMailboxesOfDomains, findLiveByAddress, lockMailbox, updateMailbox } from './mailboxes.repository.ts'
import { deletedAs, searchDeletedMailboxes } from './deleted-mailboxes.repository.ts'

export async function listDeletedMailboxes(
  deps: Pick<Dependencies, 'db' | 'now'>,
  userId: string,
  query: DeletedMailboxQuery
): Promise<{ mailboxes: DeletedMailbox[]; pagination: Pagination }> {
  const { rows, total } = await searchDeletedMailboxes(deps.db, userId, query, deps.now())
  return { mailboxes: rows.map(deletedMailboxView), pagination: pagination(query.page, query.limit, total) }
}

export async function deleteMailbox(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<DeletedMailbox> {
  const row = await changeRow(deps, userId, id, async (trx, current) => {
    const now = deps.now()
    const purgeAt = keptUntil(deps.config, now)
    await record(deps, trx, origin, current, 'mailbox.deleted', { keptUntil: purgeAt.toISOString() })
    return deletedAs(now, purgeAt)
  })
  return deletedMailboxView(row)
}

export async function restoreMailbox(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<Mailbox> {
  refuseWithoutMail(deps)
  await getDeletedMailbox(deps.db, id, userId, deps.now())
  const { row, domain, isFirst } = await accountTransaction(deps.db, userId, async (trx) => {
    await claimQuota(deps, trx, userId, 'maxMailboxes')
    const found = await getDeletedMailbox(trx, id, userId, deps.now())
    const own = await findActiveDomain(trx, userId, found.domainName)
    if (!own)
      throw new AppError(
        'DOMAIN_NOT_ACTIVE',
        `${found.domainName} is no longer a verified domain of your account. Add it again first.`
      )
    const domain = await lockForMail(deps, trx, own.id, userId)
    const current = requireMailbox(await lockMailbox(trx, id, userId))
    if (current.deletedAt === null) throw mailboxExists(addressOf(current))
    if (await findLiveByAddress(trx, current.domainName, current.localPart)) throw mailboxExists(addressOf(current))
    const isFirst = (await countMailboxesOfDomains(trx, [domain.id])) === 0
    const now = deps.now()
    const row = await updateMailbox(trx, id, { domainId: domain.id, deletedAt: null, purgeAt: null }, now)
    await markMailDomainChanged(trx, domain.id, now, isFirst ? { isOpening: true } : {})
    await record(deps, trx, origin, row, 'mailbox.restored')
    return { row, domain, isFirst }
  })
  await tryApplyMailDomain(deps, row.domainName)
  if (isFirst) await openDomain(deps, domain)
  return mailboxView(row, null)
}

export async function purgeMailbox(deps: Dependencies, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  await accountTransaction(deps.db, userId, async (trx) => {
    await getDeletedMailbox(trx, id, userId, deps.now())
    const current = requireMailbox(await lockMailbox(trx, id, userId))
    if (current.deletedAt === null) throw mailboxExists(addressOf(current))
    await updateMailbox(trx, id, { purgeAt: deps.now() }, deps.now())
    await record(deps, trx, origin, current, 'mailbox.purged')
  })
}
