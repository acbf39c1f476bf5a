export const mebibyte = 2 ** 20

export const limitBytesOf = (maxDiskMb: number | null): number | null =>
  maxDiskMb === null ? null : maxDiskMb * mebibyte

/** What the file system may let an account have: what its limit leaves beside all that the file system does not count. Null for no limit. */
export function filesLimit(limit: number | null, total: number, counted: number): number | null {
  return limit === null ? null : Math.max(0, limit - (total - counted))
}

export interface Measured {
  limit: number | null
  /** Of the measurement before; undefined of the first. */
  before: number | undefined
  total: number
  overSince: Date | null
  now: Date
  graceSeconds: number
}

/**
 * What a measurement leads to: above its limit an account is warned first; one that has been above it for the grace and still grows has
 * what grows halted.
 */
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
