interface Facts {
  /** Disk limit of the account in MiB; null: unlimited. */
  maxDiskMb: number | null
  /** MiB, sum of the other mailboxes' quotas, including deleted ones with kept mail. */
  othersMb: number
  quotaMb: number
}

/**
 * Why a mailbox cannot have this quota; undefined if it can. Incoming mail is limited only by the mailbox quota, so the
 * sum of an account's mailbox quotas must fit into its disk limit.
 */
export function mailboxQuotaProblem({ maxDiskMb, othersMb, quotaMb }: Facts): string | undefined {
  if (maxDiskMb === null || othersMb + quotaMb <= maxDiskMb) return undefined
  const left = Math.max(0, maxDiskMb - othersMb)
  return (
    `Your account's disk limit is ${maxDiskMb} MB. The quotas of its other mailboxes, including deleted ones that are kept, leave ${left} MB: ` +
    'lower a quota, or ask for a higher limit'
  )
}
