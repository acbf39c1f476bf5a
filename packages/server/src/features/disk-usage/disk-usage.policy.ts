export const mebibyte = 2 ** 20

export const limitBytesOf = (maxDiskMb: number | null): number | null =>
  maxDiskMb === null ? null : maxDiskMb * mebibyte

/** The limit minus the usage that the file system does not count. Null for no limit. */
export function filesLimit(limit: number | null, total: number, counted: number): number | null {
  return limit === null ? null : Math.max(0, limit - (total - counted))
}

export interface Measured {
  limit: number | null
  before: number | undefined
  total: number
  overSince: Date | null
  now: Date
  graceSeconds: number
}

/** Warns first; halts what grows if the account is still above its limit after the grace period and still growing. */
export function evaluateUsage({
  limit,
  before,
  total,
  overSince,
  now,
  graceSeconds
}: Measured): 'fits' | 'warn' | 'over' | 'halt' {
  if (limit === null || total <= limit) return 'fits'
  if (overSince === null) return 'warn'
  const isDeferrable = now.getTime() - overSince.getTime() < graceSeconds * 1000
  return isDeferrable || before === undefined || total <= before ? 'over' : 'halt'
}
