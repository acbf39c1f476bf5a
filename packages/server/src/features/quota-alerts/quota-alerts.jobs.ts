import type { NotificationCode } from '@panel/contract/notification-texts'
import type { Dependencies } from '../../dependencies.ts'
import { notify } from '../notifications/notify-access.ts'
import { lockUser } from '../users/account-access.ts'
import { nearQuotas, type QuotaUse } from './near-quota.policy.ts'
import { listNotifiedAccounts, saveNearQuotas } from './quota-alerts.repository.ts'
import { listQuotaUses } from './quota-use.service.ts'

type Deps = Pick<Dependencies, 'db' | 'events' | 'features' | 'jobs' | 'now'>

export async function checkQuotas(deps: Deps, userId: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user) return
    const { near, crossed } = nearQuotas(user.nearQuotas, await listQuotaUses(deps, trx, user))
    if (near.join() !== user.nearQuotas.join()) await saveNearQuotas(trx, userId, near)
    for (const use of crossed)
      await notify(deps, trx, {
        userId,
        kind: 'quota-nearly-used',
        subject: { type: 'account', id: userId, name: user.email },
        text: [{ code: codes[use.quota], values: { used: use.used, limit: use.limit } }, { code: 'MAKE_ROOM' }],
        link: '/'
      })
  })
}

export async function recheckNotifiedAccounts(deps: Deps): Promise<void> {
  for (const userId of await listNotifiedAccounts(deps.db)) await checkQuotas(deps, userId)
}

const codes = {
  maxProjects: 'QUOTA_PROJECTS',
  maxDomains: 'QUOTA_DOMAINS',
  maxDatabases: 'QUOTA_DATABASES',
  maxMailboxes: 'QUOTA_MAILBOXES',
  maxSubAccounts: 'QUOTA_SUB_ACCOUNTS',
  maxDiskMb: 'QUOTA_DISK'
} as const satisfies Record<QuotaUse['quota'], NotificationCode>
