import { type AccountUsage, type SharedQuota, sharedQuotas, type UsageSummary } from '@panel/contract/accounts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { capacityQuotas } from './capacity.policy.ts'
import { sumCapacity, sumTreeCapacity } from './capacity.service.ts'
import { isOversold, nominalSum } from './overselling.policy.ts'
import { countEach, countPooled, countUsed } from './quotas.service.ts'
import {
  countSubAccounts,
  findUser,
  listLimitsBelow,
  listSubAccounts,
  readDiskBytes,
  type UserRow
} from './users.repository.ts'

/** Usage per account, with a fixed number of queries. */
export async function listUsage(
  { db, ...deps }: Pick<Dependencies, 'db' | 'features'>,
  accounts: readonly UserRow[]
): Promise<AccountUsage[]> {
  const ids = accounts.map(({ id }) => id)
  const resellers = accounts.filter(({ role }) => role === 'RESELLER').map(({ id }) => id)
  const count = (quota: SharedQuota) => countEach(deps, db, ids, quota)
  const [projects, domains, databases, mailboxes, disk, below] = await Promise.all([
    count('maxProjects'),
    count('maxDomains'),
    count('maxDatabases'),
    count('maxMailboxes'),
    readDiskBytes(db, ids),
    listLimitsBelow(db, resellers)
  ])
  return accounts.map((account) => {
    const { id, role } = account
    const own = below.filter(({ parentId }) => parentId === id)
    const isOverAllocated = (quota: SharedQuota) => isOversold(account[quota], nominalSum(own, quota))
    return {
      projects: projects.get(id) ?? 0,
      domains: domains.get(id) ?? 0,
      databases: databases.get(id) ?? 0,
      mailboxes: mailboxes.get(id) ?? 0,
      diskBytes: disk.get(id) ?? null,
      oversold: role === 'RESELLER' && sharedQuotas.some(isOverAllocated)
    }
  })
}

/** Usage; for a reseller also the allocation and whether it exceeds the quota, with or without overselling. */
export async function usageSummary(
  deps: Pick<Dependencies, 'config' | 'db' | 'features'>,
  userId: string
): Promise<UsageSummary> {
  const { db } = deps
  const user = await findUser(db, userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  const subAccounts = user.role === 'RESELLER' ? await listSubAccounts(db, userId) : undefined
  const usageOf = async (quota: SharedQuota) => {
    const limit = user[quota]
    const used = await countUsed(deps, db, [userId], quota)
    if (!subAccounts) return { used, limit }
    const sum = nominalSum(subAccounts, quota)
    return {
      used,
      limit,
      nominalSum: sum,
      oversold: isOversold(limit, sum),
      pooledUsed: await countPooled(deps, db, userId, quota)
    }
  }
  const shared = await Promise.all(sharedQuotas.map(async (quota) => [quota, await usageOf(quota)] as const))
  const own = await sumCapacity(deps, db, { userIds: [userId] })
  const pooled = subAccounts && (await sumTreeCapacity(deps, db, userId))
  const capacity = capacityQuotas.map(
    ({ quota, part }) =>
      [quota, { used: own[part], limit: user[quota], ...(pooled && { pooledUsed: pooled[part] }) }] as const
  )
  const tcpPorts = await countUsed(deps, db, [userId], 'maxTcpPorts')
  const pooledTcpPorts = subAccounts && (await countPooled(deps, db, userId, 'maxTcpPorts'))
  return {
    oversellingEnabled: user.oversellingEnabled,
    resources: {
      ...(Object.fromEntries(shared) as Record<SharedQuota, Awaited<ReturnType<typeof usageOf>>>),
      maxSubAccounts: { used: await countSubAccounts(db, userId), limit: user.maxSubAccounts },
      ...(Object.fromEntries(capacity) as Pick<UsageSummary['resources'], 'maxMemoryMb' | 'maxCpus'>),
      maxTcpPorts: {
        used: tcpPorts,
        limit: user.maxTcpPorts,
        ...(pooledTcpPorts !== undefined && { pooledUsed: pooledTcpPorts })
      }
    }
  }
}
