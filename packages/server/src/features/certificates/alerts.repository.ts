import { and, eq, gt, isNull, lt, lte, or } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { certificateAlertMails } from '../../db/schema/certificate-alert-mails.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { domains } from '../../db/schema/domains.ts'
import { users } from '../../db/schema/users.ts'
import type { CertificateOfOwner } from './certificates.repository.ts'

interface Recipient {
  userId: string
  hostname: string
}

export async function claimAlert(trx: Transaction, to: Recipient, now: Date, notSince: Date): Promise<boolean> {
  const rows = await trx
    .insert(certificateAlertMails)
    .values({ ...to, sentAt: now })
    .onConflictDoUpdate({
      target: [certificateAlertMails.userId, certificateAlertMails.hostname],
      set: { sentAt: now },
      setWhere: lte(certificateAlertMails.sentAt, notSince)
    })
    .returning({ hostname: certificateAlertMails.hostname })
  return rows.length > 0
}

interface Expiring {
  until: Date
  after: Date
  notifiedBefore: Date
  limit: number
}

export async function listUnnotifiedExpiring(
  db: Queryable,
  { until, after, notifiedBefore, limit }: Expiring
): Promise<CertificateOfOwner[]> {
  const notified = certificateAlertMails
  return db
    .select({ certificate: certificates, hostname: domains.hostname, owner: { id: users.id } })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .innerJoin(users, eq(users.id, domains.userId))
    .leftJoin(notified, and(eq(notified.userId, users.id), eq(notified.hostname, domains.hostname)))
    .where(
      and(
        lte(certificates.validTo, until),
        gt(certificates.validTo, after),
        or(isNull(notified.sentAt), lte(notified.sentAt, notifiedBefore))
      )
    )
    .orderBy(certificates.validTo, certificates.id)
    .limit(limit)
}

export async function deleteAlertsBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(certificateAlertMails).where(lt(certificateAlertMails.sentAt, before))
}
