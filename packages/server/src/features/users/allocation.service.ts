import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { managesAccounts } from './account-access.policy.ts'
import { type Limits, oversoldQuotas } from './overselling.policy.ts'
import { listSubAccounts, type UserRow } from './users.repository.ts'

/** The quotas of a new account that says nothing else. */
export const defaultQuotas = (config: Config) => quotasOr(config, null, null)

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
  if (parent.role === 'ADMIN' || !managesAccounts(parent) || parent.oversellingEnabled) return
  const siblings = (await listSubAccounts(db, parent.id)).filter((account) => account.id !== targetId)
  const oversold = oversoldQuotas(parent, siblings, target)
  if (oversold.length === 0) return
  throw new AppError(
    'OVERSELL_NOT_ENABLED',
    `The sub-accounts together would have more than there is: ${oversold.join(', ')}. Give less, or a number instead of unlimited.`
  )
}
