import { inheritedQuotas, type InheritedQuota } from '@panel/contract/accounts'
import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { managesAccounts } from './account-access.policy.ts'
import { type Limits, oversoldQuotas } from './overselling.policy.ts'
import { listSubAccounts, type UserRow } from './users.repository.ts'

/**
 * Quotas of a new account that its creator did not set. Below an account other than an ADMIN, the limits whose actual
 * usage counts against the creator's too default to the creator's.
 */
export function defaultQuotas(config: Config, creator: UserRow) {
  const quotas = quotasOr(config, { unset: null, unsetDiskMb: null, maxTcpPorts: null })
  if (creator.role === 'ADMIN') return quotas
  const inherited = inheritedQuotas.map((quota) => [quota, lowerLimit(quotas[quota], creator[quota])])
  return { ...quotas, ...(Object.fromEntries(inherited) as Record<InheritedQuota, number | null>) }
}

/** For self-registered accounts: enough for a few sites, but not enough to exhaust a server. No ports, which are few. */
export const quotasOfRegistered = (config: Config) =>
  quotasOr(config, { unset: 10, unsetDiskMb: 10_240, maxTcpPorts: 0 })

interface Fallbacks {
  unset: number | null
  unsetDiskMb: number | null
  maxTcpPorts: number | null
}

/** null means unlimited; undefined falls back to `unset`. */
function quotasOr(config: Config, { unset, unsetDiskMb, maxTcpPorts }: Fallbacks) {
  const valueOf = (quota: number | null | undefined, otherwise = unset) => (quota === undefined ? otherwise : quota)
  return {
    maxProjects: valueOf(config.DEFAULT_MAX_PROJECTS),
    maxDomains: valueOf(config.DEFAULT_MAX_DOMAINS),
    maxDatabases: valueOf(config.DEFAULT_MAX_DATABASES),
    maxMailboxes: valueOf(config.DEFAULT_MAX_MAILBOXES),
    maxSubAccounts: valueOf(config.DEFAULT_MAX_SUB_ACCOUNTS),
    maxDiskMb: valueOf(config.DEFAULT_MAX_DISK_MB, unsetDiskMb),
    maxMemoryMb: null as number | null,
    maxCpus: null as number | null,
    maxTcpPorts: valueOf(config.DEFAULT_MAX_TCP_PORTS, maxTcpPorts)
  }
}

/**
 * Without overselling, refuses to allocate more than the parent has. Also for a USER with canCreateSubAccounts, who
 * could exceed their own limits through sub-accounts. An ADMIN is not limited.
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
    `The quotas of the sub-accounts together would exceed those of the parent account: ${oversold.join(', ')}. Lower them, or set a number instead of unlimited.`
  )
}

/** These limits are not summed, but none may exceed the parent's. */
export function requireWithinParent(parent: UserRow, limits: Partial<Record<InheritedQuota, number | null>>): void {
  if (!isBoundBy(parent)) return
  for (const quota of inheritedQuotas) {
    const limit = limits[quota]
    if (limit === undefined || lowerLimit(parent[quota], limit) === limit) continue
    throw new AppError(
      'OVERSELL_NOT_ENABLED',
      `${quota}: the parent account has ${parent[quota]}. Set at most that, or omit it.`
    )
  }
}

const isBoundBy = (parent: UserRow) => parent.role !== 'ADMIN' && managesAccounts(parent) && !parent.oversellingEnabled

const lowerLimit = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)
