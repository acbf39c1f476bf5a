const dayMs = 24 * 3600 * 1000

export const keptUntil = ({ MAILBOX_KEEP_DAYS }: { MAILBOX_KEEP_DAYS: number }, now: Date): Date =>
  new Date(now.getTime() + MAILBOX_KEEP_DAYS * dayMs)

/** A minute of margin: another process may be restoring a mailbox at the very end of its period. */
export const purgeableBefore = (now: Date): Date => new Date(now.getTime() - 60_000)
