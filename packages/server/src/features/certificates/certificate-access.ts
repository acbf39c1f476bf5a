import type { Queryable } from '../../db/database.ts'
import { listOrdersOfAccount } from './orders.repository.ts'

// What other features may ask of the rows.
export { type CertificateRow, findCertificateOf } from './certificates.repository.ts'

const windowMs = 3 * 3_600_000
// Of the 50 that an account may order in that time: the others are for those that somebody waits for.
const unasked = 20

/** Whether the account has room for an order that nobody has asked for. */
export async function hasRoomForUnaskedOrder(db: Queryable, userId: string, now: Date): Promise<boolean> {
  return (await listOrdersOfAccount(db, userId, new Date(now.getTime() - windowMs))).length < unasked
}
