import type { UsageSummary } from '@panel/contract/accounts'
import type { Config } from '../../config.ts'
import type { Queryable, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { countDatabases } from '../databases/databases.repository.ts'
import { countDomains } from '../domains/domains.repository.ts'
import { managesAccounts } from './account-access.policy.ts'
import { refuseSuspended } from './account-access.ts'
import {
  isOversold,
  isQuotaReached,
  type Limits,
  nominalSum,
  oversoldQuotas,
  type SharedQuota,
  sharedQuotas
} from './overselling.policy.ts'
import {
  countSubAccounts,
  findUser,
  listAncestors,
  listSubAccounts,
  listTree,
  lockUser,
  sumProjectCounts,
  type UserRow
} from './users.repository.ts'

type Counter = (db: Queryable, userIds: readonly string[]) => Promise<number>
const none: Counter = async () => 0

/** How many of each resource these accounts really have together; a feature that brings a resource adds its line. */
const counters: Record<SharedQuota, Counter> = {
  maxProjects: sumProjectCounts,
  maxDomains: countDomains,
  maxDatabases: countDatabases,
  maxMailboxes: none
}

const nouns: Record<SharedQuota, string> = {
  maxProjects: 'projects',
  maxDomains: 'domains',
  maxDatabases: 'databases',
  maxMailboxes: 'mailboxes'
}

/** The quotas of a new account that says nothing else. */
export function defaultQuotas(config: Config) {
  return {
    maxProjects: config.DEFAULT_MAX_PROJECTS ?? null,
    maxDomains: config.DEFAULT_MAX_DOMAINS ?? null,
    maxDatabases: config.DEFAULT_MAX_DATABASES ?? null,
    maxMailboxes: config.DEFAULT_MAX_MAILBOXES ?? null,
    maxSubAccounts: config.DEFAULT_MAX_SUB_ACCOUNTS ?? null
  }
}

/**
 * Allows one more of a resource, in the transaction that makes it. Locks the resellers above and then the account, until the commit:
 * of many at the limit exactly the remaining ones pass, in one account and across the accounts of a pool.
 */
export async function claimQuota(trx: Transaction, userId: string, quota: SharedQuota): Promise<UserRow> {
  const pools: UserRow[] = []
  for (const above of await listAncestors(trx, userId)) {
    const reseller = above.role === 'RESELLER' ? await lockUser(trx, above.id) : undefined
    if (reseller) pools.push(reseller)
  }
  const user = await lockUser(trx, userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  refuseSuspended(user)
  if (isQuotaReached({ limit: user[quota], used: await counters[quota](trx, [userId]) }))
    throw new AppError(
      'QUOTA_EXCEEDED',
      `Your account may have ${user[quota]} ${nouns[quota]}; delete one or ask for more`
    )
  for (const reseller of user.role === 'RESELLER' ? [...pools, user] : pools) await requirePool(trx, reseller, quota)
  return user
}

async function requirePool(trx: Transaction, reseller: UserRow, quota: SharedQuota): Promise<void> {
  const { oversellingEnabled, [quota]: limit } = reseller
  if (!oversellingEnabled || limit === null) return
  const used = await pooledUse(trx, reseller.id, quota)
  if (isQuotaReached({ limit: null, used: 0, pool: { limit, used, oversellingEnabled } }))
    throw new AppError('QUOTA_EXCEEDED', `All ${nouns[quota]} that your reseller shares out are in use; ask for more`)
}

const pooledUse = async (db: Queryable, id: string, quota: SharedQuota): Promise<number> =>
  counters[quota](db, await listTree(db, id))

/**
 * Overselling rule 1. Also for a USER with canCreateSubAccounts, which would otherwise leave its own limits by way of its
 * sub-accounts; an ADMIN shares out without limits.
 */
export async function requirePromise(
  trx: Transaction,
  parent: UserRow,
  targetId: string | undefined,
  target: Limits
): Promise<void> {
  if (parent.role === 'ADMIN' || !managesAccounts(parent) || parent.oversellingEnabled) return
  const siblings = (await listSubAccounts(trx, parent.id)).filter((account) => account.id !== targetId)
  const oversold = oversoldQuotas(parent, siblings, target)
  if (oversold.length === 0) return
  throw new AppError(
    'OVERSELL_NOT_ENABLED',
    `The sub-accounts together would have more than there is: ${oversold.join(', ')}. Give less, or a number instead of unlimited.`
  )
}

/** spec "Overselling rules" 3: what is promised and whether it is too much, whatever the mode. */
export async function usageSummary(db: Queryable, userId: string): Promise<UsageSummary> {
  const user = await findUser(db, userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  const subAccounts = user.role === 'RESELLER' ? await listSubAccounts(db, userId) : undefined
  const usageOf = async (quota: SharedQuota) => {
    const limit = user[quota]
    const used = await counters[quota](db, [userId])
    if (!subAccounts) return { used, limit }
    const sum = nominalSum(subAccounts, quota)
    return {
      used,
      limit,
      nominalSum: sum,
      oversold: isOversold(limit, sum),
      pooledUsed: await pooledUse(db, userId, quota)
    }
  }
  const shared = await Promise.all(sharedQuotas.map(async (quota) => [quota, await usageOf(quota)] as const))
  return {
    oversellingEnabled: user.oversellingEnabled,
    resources: {
      ...(Object.fromEntries(shared) as Record<SharedQuota, Awaited<ReturnType<typeof usageOf>>>),
      maxSubAccounts: { used: await countSubAccounts(db, userId), limit: user.maxSubAccounts }
    }
  }
}
