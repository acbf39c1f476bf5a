import { and, eq, lt, lte } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { certificateAlertMails } from '../../db/schema/certificate-alert-mails.ts'

interface Recipient {
  userId: string
  hostname: string
}

/** Whether the account may be written to about the name: of several that ask at once, one may. From then on it counts as done. */
export async function claimAlertMail(db: Queryable, to: Recipient, now: Date, notSince: Date): Promise<boolean> {
  const rows = await db
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

/** For a mail that did not go out. */
export async function releaseAlertMail(db: Queryable, { userId, hostname }: Recipient): Promise<void> {
  await db
    .delete(certificateAlertMails)
    .where(and(eq(certificateAlertMails.userId, userId), eq(certificateAlertMails.hostname, hostname)))
}

export async function dropAlertMailsBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(certificateAlertMails).where(lt(certificateAlertMails.sentAt, before))
}
