import { type CertificateStatus, expiryAlertDays } from '@panel/contract/certificates'

/** The states that follow from the end of what is served. */
export const datedStatuses = ['ACTIVE', 'EXPIRING_SOON', 'EXPIRED'] as const satisfies readonly CertificateStatus[]
export type DatedStatus = (typeof datedStatuses)[number]

export const alertMs = expiryAlertDays * 24 * 3600 * 1000

export function statusByExpiry(validTo: Date, now: Date): DatedStatus {
  const leftMs = validTo.getTime() - now.getTime()
  if (leftMs <= 0) return 'EXPIRED'
  return leftMs <= alertMs ? 'EXPIRING_SOON' : 'ACTIVE'
}

/**
 * The state at a later time. It follows from the end alone, so that a clock that was ahead for a while leaves nothing behind. An order
 * under way, or one that left nothing to serve, says nothing about an end.
 */
export function evaluateExpiry(status: CertificateStatus, validTo: Date | null, now: Date): CertificateStatus {
  if (validTo === null || !datedStatuses.some((dated) => dated === status)) return status
  return statusByExpiry(validTo, now)
}
