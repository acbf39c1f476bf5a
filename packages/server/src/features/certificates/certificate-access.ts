import type { Queryable } from '../../db/database.ts'
import { listOrdersOfAccount } from './orders.repository.ts'

// What other features may ask of the rows.
export { type CertificateRow, findCertificateOf } from './certificates.repository.ts'

const windowMs = 3 * 3_600_000
// Of the 50 orders that an account has in that time: the rest is for certificates that a user requests.
const unattended = 20

/** Whether the account may order a certificate that no user has requested. */
export async function hasCapacityForUnattendedOrder(db: Queryable, userId: string, now: Date): Promise<boolean> {
  return (await listOrdersOfAccount(db, userId, new Date(now.getTime() - windowMs))).length < unattended
}
