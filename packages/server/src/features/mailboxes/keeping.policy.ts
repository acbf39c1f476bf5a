const dayMs = 24 * 3600 * 1000

/** Until when the mail of a mailbox that is deleted now can be had again. */
export const keptUntil = ({ MAILBOX_KEEP_DAYS }: { MAILBOX_KEEP_DAYS: number }, now: Date): Date =>
  new Date(now.getTime() + MAILBOX_KEEP_DAYS * dayMs)

/** What can be restored until its time is not purged before: a restore may be under way in another process as it ends. */
export const purgeableBefore = (now: Date): Date => new Date(now.getTime() - 60_000)
