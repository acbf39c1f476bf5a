interface Facts {
  /** Disk limit of the account in MiB; null: unlimited. */
  maxDiskMb: number | null
  /** MiB, sum of the other mailboxes' quotas, including deleted ones with kept mail. */
  othersMb: number
  quotaMb: number
}

/** Incoming mail is limited only by mailbox quotas, so their sum must fit into the account's disk limit. */
export function mailboxQuotaProblem({ maxDiskMb, othersMb, quotaMb }: Facts): string | undefined {
  if (maxDiskMb === null || othersMb + quotaMb <= maxDiskMb) return undefined
  const left = Math.max(0, maxDiskMb - othersMb)
  return (
    `Your account's disk limit is ${maxDiskMb} MB. The quotas of its other mailboxes, including deleted ones that are kept, leave ${left} MB: ` +
    'lower a quota, or ask for a higher limit'
  )
}
