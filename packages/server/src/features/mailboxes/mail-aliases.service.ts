import { type Pagination, pagination } from '@panel/contract/common'
import type { z } from 'zod'
import type { CreateMailAlias, MailAlias, MailAliasQuery, UpdateMailAlias } from '@panel/contract/mailboxes'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import { getActor, lockUser } from '../users/account-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { parseMailAddress } from './mail-address.policy.ts'
import {
  countMailAliases,
  deleteMailAlias,
  findMailAlias,
  insertMailAlias,
  type MailAliasRow,
  searchMailAliases,
  updateMailAlias
} from './mail-aliases.repository.ts'
import { tryApplyMailDomain } from './mail-apply.service.ts'
import { lockForMail, refuseWithoutMail } from './mail-domain-access.ts'
import { lockMailDomain, markMailDomainChanged } from './mail-domains.repository.ts'
import { listAliasesFor } from './mail-ways.repository.ts'

/** Per domain. */
const maxAliases = 1_000

export async function listMailAliases(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  query: z.infer<typeof MailAliasQuery>
): Promise<{ aliases: MailAlias[]; pagination: Pagination }> {
  const { rows, total } = await searchMailAliases(db, userId, query)
  return { aliases: rows.map(aliasView), pagination: pagination(query.page, query.limit, total) }
}

/** Rejects with NOT_FOUND for aliases of other accounts. */
export async function getOwnMailAlias(db: Queryable, id: string, userId: string): Promise<MailAliasRow> {
  const row = await findMailAlias(db, id, userId)
  if (!row) throw new AppError('NOT_FOUND', 'Alias not found')
  return row
}

export async function createMailAlias(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  input: CreateMailAlias
): Promise<MailAlias> {
  refuseWithoutMail(deps)
  const { hostname } = await getOwnDomain(deps.db, input.domainId, userId)
  const localPart = input.localPart === '*' ? '' : input.localPart
  const targets = parseTargets(input.targets, `${localPart}@${hostname}`)
  const row = await accountTransaction(deps.db, userId, async (trx) => {
    await lockUser(trx, userId)
    await getActor(trx, userId)
    const domain = await lockForMail(deps, trx, input.domainId, userId)
    if ((await countMailAliases(trx, domain.id)) >= maxAliases)
      throw new AppError('QUOTA_EXCEEDED', `A domain has at most ${maxAliases} aliases. Delete one first.`)
    const now = deps.now()
    const values = { id: newId(), domainId: domain.id, localPart, targets, createdAt: now, updatedAt: now }
    if (!(await insertMailAlias(trx, values)))
      throw new AppError(
        'MAIL_ALIAS_EXISTS',
        `${input.localPart}@${domain.hostname} is already an alias. Edit that one instead.`
      )
    await refuseLoop(trx, values)
    await markMailDomainChanged(trx, domain.id, now)
    const row = { ...values, domainName: domain.hostname }
    await record(deps, trx, origin, userId, row, 'mail_alias.created')
    return row
  })
  await tryApplyMailDomain(deps, row.domainName)
  return aliasView(row)
}

export async function changeMailAlias(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: UpdateMailAlias
): Promise<MailAlias> {
  const before = await getOwnMailAlias(deps.db, id, userId)
  const targets = parseTargets(input.targets, `${before.localPart}@${before.domainName}`)
  return change(deps, userId, before, async (trx) => {
    await updateMailAlias(trx, id, targets, deps.now())
    await refuseLoop(trx, { id, targets })
    const row = await getOwnMailAlias(trx, id, userId)
    await record(deps, trx, origin, userId, row, 'mail_alias.updated')
    return aliasView(row)
  })
}

export async function removeMailAlias(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  const before = await getOwnMailAlias(deps.db, id, userId)
  await change(deps, userId, before, async (trx) => {
    const row = await getOwnMailAlias(trx, id, userId)
    await deleteMailAlias(trx, id)
    await record(deps, trx, origin, userId, row, 'mail_alias.deleted')
  })
}

/** Rows first, then the mail servers; if they are unavailable, the reconcile loop applies the change. */
async function change<T>(
  deps: Dependencies,
  userId: string,
  { domainId, domainName }: MailAliasRow,
  work: (trx: Transaction) => Promise<T>
): Promise<T> {
  const result = await accountTransaction(deps.db, userId, async (trx) => {
    await lockMailDomain(trx, domainId)
    const result = await work(trx)
    await markMailDomainChanged(trx, domainId, deps.now())
    return result
  })
  await tryApplyMailDomain(deps, domainName)
  return result
}

/** Normalized and deduplicated. */
function parseTargets(given: readonly string[], own: string): string[] {
  const parsed = given.map(parseMailAddress)
  const problems = parsed.flatMap((each, index) =>
    'problem' in each ? [{ path: `targets.${index}`, message: each.problem }] : []
  )
  const targets = [...new Set(parsed.flatMap((each) => ('address' in each ? [each.address] : [])))]
  if (targets.includes(own))
    problems.push({
      path: 'targets',
      message: 'must not contain the alias itself; its mailbox receives the mail anyway'
    })
  const [first] = problems
  if (!first) return targets
  throw new AppError('VALIDATION_ERROR', `Some values are not valid: ${first.path} ${first.message}`, {
    details: problems
  })
}

const [maxSteps, maxReached] = [10, 500]

/**
 * Follows the alias through all aliases of this server. Misses a loop that two accounts close at the same moment;
 * Postfix then bounces the message.
 */
async function refuseLoop(trx: Transaction, alias: { id: string; targets: readonly string[] }): Promise<void> {
  const seen = new Set<string>()
  let reached: readonly string[] = alias.targets
  for (let step = 0; reached.length > 0; step++) {
    const found = await listAliasesFor(trx, reached)
    if (found.some(({ id }) => id === alias.id))
      throw new AppError('MAIL_ALIAS_LOOP', 'Mail loop: one of the targets forwards back to this address')
    for (const address of reached) seen.add(address)
    reached = [...new Set(found.flatMap(({ targets }) => targets))].filter((address) => !seen.has(address))
    if ((step >= maxSteps && reached.length > 0) || seen.size + reached.length > maxReached)
      throw new AppError(
        'MAIL_ALIAS_LOOP',
        `Mail would pass through more than ${maxSteps} aliases or reach more than ${maxReached} addresses`
      )
  }
}

export const aliasView = (row: MailAliasRow): MailAlias => {
  const localPart = row.localPart === '' ? '*' : row.localPart
  return {
    id: row.id,
    domainId: row.domainId,
    address: `${localPart}@${row.domainName}`,
    localPart,
    targets: row.targets,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

async function record(
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  userId: string,
  row: MailAliasRow,
  action: 'mail_alias.created' | 'mail_alias.updated' | 'mail_alias.deleted'
): Promise<void> {
  const { address, targets } = aliasView(row)
  await recordAudit(deps, trx, origin, { action, actorId: userId, targetId: row.id, metadata: { address, targets } })
}
