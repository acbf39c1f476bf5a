import type { Dependencies } from '../../dependencies.ts'
import { deleteAlertsBefore } from './alerts.repository.ts'
import { listStuckAccounts, lockDue } from './certificates.repository.ts'
import { listOldChallengeDomains } from './challenges.repository.ts'
import { clearChallenges } from './challenges.service.ts'
import { evaluateAll } from './expiry.repository.ts'
import { deleteOrdersBefore } from './orders.repository.ts'
import { queueNext, queueOrder } from './orders.service.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const batch = 50

export async function renewDue(deps: Pick<Dependencies, 'db' | 'jobs' | 'now'>): Promise<number> {
  return deps.db.transaction(async (trx) => {
    const due = await lockDue(trx, deps.now(), batch)
    for (const { certificate, userId } of due) await queueOrder(deps, trx, certificate, userId)
    return due.length
  })
}

const stuckAfterMs = 15 * minuteMs

export async function recoverOrders(deps: Pick<Dependencies, 'db' | 'jobs' | 'now'>): Promise<void> {
  for (const userId of await listStuckAccounts(deps.db, new Date(deps.now().getTime() - stuckAfterMs)))
    await deps.db.transaction((trx) => queueNext(deps, trx, userId))
}

export async function evaluateExpiries(deps: Pick<Dependencies, 'db' | 'now'>): Promise<void> {
  await evaluateAll(deps.db, deps.now())
}

export async function sweepOrders(
  deps: Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now'>
): Promise<void> {
  const now = deps.now().getTime()
  for (const domainId of await listOldChallengeDomains(deps.db, new Date(now - dayMs)))
    await clearChallenges(deps, domainId)
  await deleteOrdersBefore(deps.db, new Date(now - 8 * dayMs))
  await deleteAlertsBefore(deps.db, new Date(now - 8 * dayMs))
}
