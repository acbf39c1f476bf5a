import { type CountedQuota, inheritedQuotas } from '@panel/contract/accounts'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { refuseSuspended } from './account-access.ts'
import { isQuotaReached } from './overselling.policy.ts'
import { listTree, lockWithResellers, type UserRow } from './users.repository.ts'

type Deps = Pick<Dependencies, 'features'>

/** Share of a quota from which quota-alerts checks the account. */
const nearFrom = 0.9

/** Actual number of a resource per account. */
export async function countEach(
  deps: Deps,
  db: Queryable,
  userIds: readonly string[],
  quota: CountedQuota
): Promise<ReadonlyMap<string, number>> {
  return (await resourceOf(deps, quota)?.count(db, userIds)) ?? new Map()
}

/** Actual number of a resource over all these accounts. */
export async function countUsed(deps: Deps, db: Queryable, userIds: readonly string[], quota: CountedQuota) {
  return [...(await countEach(deps, db, userIds, quota)).values()].reduce((sum, count) => sum + count, 0)
}

const resourceOf = ({ features }: Deps, quota: CountedQuota) =>
  features.map(({ quotas }) => quotas?.[quota]).find((resource) => resource !== undefined)

/**
 * Allows one more of a resource, in the transaction that creates it. Locks the resellers above and then the account
 * until the commit, so that concurrent requests cannot exceed a limit of the account or of a reseller.
 */
export async function claimQuota(
  deps: Deps & Pick<Dependencies, 'jobs'>,
  trx: Transaction,
  userId: string,
  quota: CountedQuota
): Promise<UserRow> {
  // Both queries are queued on one connection, so the count runs after the locks are taken.
  const [line, used] = await Promise.all([lockWithResellers(trx, userId), countUsed(deps, trx, [userId], quota)])
  const user = line.at(-1)
  if (user?.id !== userId) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  refuseSuspended(user)
  const noun = resourceOf(deps, quota)?.noun ?? quota
  const limit = user[quota]
  if (isQuotaReached({ limit, used }))
    throw new AppError(
      'QUOTA_EXCEEDED',
      `Your account has reached its limit of ${user[quota]} ${noun}. Delete some, or ask for a higher limit.`
    )
  for (const reseller of line.filter(({ role }) => role === 'RESELLER')) {
    if (await isPoolExhausted(deps, trx, reseller, quota))
      throw new AppError(
        'QUOTA_EXCEEDED',
        `The accounts of your reseller use all of its ${noun}. Ask for a higher limit.`
      )
  }
  if (limit !== null && used + 1 >= limit * nearFrom)
    await deps.jobs.enqueue(trx, 'quotas.check', { userId }, { key: userId })
  return user
}

async function isPoolExhausted(deps: Deps, trx: Transaction, reseller: UserRow, quota: CountedQuota): Promise<boolean> {
  const limit = reseller[quota]
  // The limits of its accounts are otherwise together within its own.
  const isCounted = reseller.oversellingEnabled || (inheritedQuotas as readonly string[]).includes(quota)
  if (!isCounted || limit === null) return false
  const used = await countPooled(deps, trx, reseller.id, quota)
  return isQuotaReached({ limit: null, used: 0, pool: { limit, used, oversellingEnabled: true } })
}

/** For an account and all its descendants. */
export const countPooled = async (deps: Deps, db: Queryable, id: string, quota: CountedQuota): Promise<number> =>
  countUsed(deps, db, await listTree(db, id), quota)
