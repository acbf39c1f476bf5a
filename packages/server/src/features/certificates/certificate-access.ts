import type { Queryable } from '../../db/database.ts'
import { listOrdersOfAccount } from './orders.repository.ts'

export { type CertificateRow, countExpired, findCertificateOf, retryExpired } from './certificates.repository.ts'

const windowMs = 3 * 3_600_000
// Of the 50 orders per account in that window (order-budget.policy.ts); the rest is reserved for requests by users.
const maxUnattended = 20

/** Whether the account may order another certificate that no user requested. */
export async function hasCapacityForUnattendedOrder(db: Queryable, userId: string, now: Date): Promise<boolean> {
  return (await listOrdersOfAccount(db, userId, new Date(now.getTime() - windowMs))).length < maxUnattended
}
