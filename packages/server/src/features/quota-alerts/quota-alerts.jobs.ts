import { sharedQuotas } from '@panel/contract/accounts'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findUsage } from '../disk-usage/disk-usage-access.ts'
import { notify } from '../notifications/notify-access.ts'
import { countUsed } from '../users/quotas.service.ts'
import { countSubAccounts, lockUser, type UserRow } from '../users/account-access.ts'
import { nearQuotas, type QuotaUse } from './near-quota.policy.ts'
import { listToldAccounts, saveNearQuotas } from './quota-alerts.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'events' | 'features' | 'jobs' | 'now'>

/** Tells the account of each quota that has come to be nearly used, once until there is room again. */
export async function checkQuotas(deps: Deps, userId: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user) return
    const { near, crossed } = nearQuotas(user.nearQuotas, await usesOf(deps, trx, user))
    if (near.join() !== user.nearQuotas.join()) await saveNearQuotas(trx, userId, near)
    for (const use of crossed)
      await notify(deps, trx, {
        userId,
        kind: 'quota-nearly-used',
        subject: { type: 'account', id: userId, name: user.email },
        text: `${use.used} of ${use.limit} ${nouns[use.quota]} are used. Remove what is not needed, or ask for more.`,
        link: '/'
      })
  })
}

/** Those that were told: whether there is room again. */
export async function checkToldAccounts(deps: Deps): Promise<void> {
  for (const userId of await listToldAccounts(deps.db)) await checkQuotas(deps, userId)
}

async function usesOf(deps: Deps, db: Queryable, user: UserRow): Promise<QuotaUse[]> {
  const shared = await Promise.all(
    sharedQuotas.map(async (quota) => ({
      quota,
      limit: user[quota],
      used: user[quota] === null ? 0 : await countUsed(deps, db, [user.id], quota)
    }))
  )
  const disk = await findUsage(db, user.id)
  return [
    ...shared,
    { quota: 'maxSubAccounts', limit: user.maxSubAccounts, used: await countSubAccounts(db, user.id) },
    { quota: 'maxDiskMb', limit: user.maxDiskMb, used: Math.floor((disk?.used ?? 0) / 2 ** 20) }
  ]
}

const nouns: Readonly<Record<string, string>> = {
  maxProjects: 'projects',
  maxDomains: 'domains',
  maxDatabases: 'databases',
  maxMailboxes: 'mailboxes',
  maxSubAccounts: 'sub-accounts',
  maxDiskMb: 'MB on the disk'
}
