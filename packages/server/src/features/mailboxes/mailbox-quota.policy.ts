interface Facts {
  /** Of the account, in MiB; null for no limit. */
  maxDiskMb: number | null
  /** MiB of its other mailboxes together, with those whose mail is kept. */
  othersMb: number
  quotaMb: number
}

/**
 * Why a mailbox cannot have this quota; undefined where it can. Mail comes from strangers, at any hour, and its quota is all that ends it:
 * so the quotas of an account's mailboxes together are within what it may have on the disk.
 */
export function mailboxQuotaProblem({ maxDiskMb, othersMb, quotaMb }: Facts): string | undefined {
  if (maxDiskMb === null || othersMb + quotaMb <= maxDiskMb) return undefined
  const left = Math.max(0, maxDiskMb - othersMb)
  return (
    `Your account may have ${maxDiskMb} MB on the disk, and the quotas of its other mailboxes, with deleted ones that are kept, leave ${left} MB: ` +
    'give this one or another one less, or ask for more'
  )
}
