import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { managesAccounts } from './account-access.policy.ts'
import { type Limits, oversoldQuotas } from './overselling.policy.ts'
import { listSubAccounts, type UserRow } from './users.repository.ts'

/**
 * The quotas of a new account for which its creator named none. An ADMIN has no limits to pass on; below anybody else an account that is
 * given no disk limit gets its creator's, since what all of them really use counts against that (disk-usage).
 */
export function defaultQuotas(config: Config, creator: UserRow) {
  const quotas = quotasOr(config, null, null)
  const inherited = creator.role === 'ADMIN' ? null : creator.maxDiskMb
  return { ...quotas, maxDiskMb: lowerLimit(quotas.maxDiskMb, inherited) }
}

/** Of one that nobody vouches for: enough for a person with a few sites, and no number that a stranger could use a server up with. */
export const quotasOfRegistered = (config: Config) => quotasOr(config, 10, 10_240)

/** Unlimited is null, and what is not set is `unset`. */
function quotasOr(config: Config, unset: number | null, unsetDiskMb: number | null) {
  const valueOf = (quota: number | null | undefined, otherwise = unset) => (quota === undefined ? otherwise : quota)
  return {
    maxProjects: valueOf(config.DEFAULT_MAX_PROJECTS),
    maxDomains: valueOf(config.DEFAULT_MAX_DOMAINS),
    maxDatabases: valueOf(config.DEFAULT_MAX_DATABASES),
    maxMailboxes: valueOf(config.DEFAULT_MAX_MAILBOXES),
    maxSubAccounts: valueOf(config.DEFAULT_MAX_SUB_ACCOUNTS),
    maxDiskMb: valueOf(config.DEFAULT_MAX_DISK_MB, unsetDiskMb)
  }
}

/**
 * Refuses to allocate more than there is where overselling is off. Also for a USER with canCreateSubAccounts, which would otherwise leave its own limits by way of its
 * sub-accounts; an ADMIN shares out without limits.
 */
export async function requireAllocation(
  db: Queryable,
  parent: UserRow,
  targetId: string | undefined,
  target: Limits
): Promise<void> {
  if (!isBoundBy(parent)) return
  const siblings = (await listSubAccounts(db, parent.id)).filter((account) => account.id !== targetId)
  const oversold = oversoldQuotas(parent, siblings, target)
  if (oversold.length === 0) return
  throw new AppError(
    'OVERSELL_NOT_ENABLED',
    `The sub-accounts together would have more than there is: ${oversold.join(', ')}. Give less, or a number instead of unlimited.`
  )
}

/** A disk limit is not part of the sums, but an account cannot be given more than the account above it has. */
export function requireDiskWithin(parent: UserRow, maxDiskMb: number | null): void {
  if (!isBoundBy(parent) || lowerLimit(parent.maxDiskMb, maxDiskMb) === maxDiskMb) return
  throw new AppError(
    'OVERSELL_NOT_ENABLED',
    `maxDiskMb: the account above has ${parent.maxDiskMb} MB. Give that much or less, or leave it out.`
  )
}

const isBoundBy = (parent: UserRow) => parent.role !== 'ADMIN' && managesAccounts(parent) && !parent.oversellingEnabled

const lowerLimit = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)
