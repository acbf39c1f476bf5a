import { type CertificateStatus, expiryAlertDays } from '@panel/contract/certificates'

export const datedStatuses = ['ACTIVE', 'EXPIRING_SOON', 'EXPIRED'] as const satisfies readonly CertificateStatus[]
export type DatedStatus = (typeof datedStatuses)[number]

export const alertMs = expiryAlertDays * 24 * 3600 * 1000

export function statusByExpiry(validTo: Date, now: Date): DatedStatus {
  const leftMs = validTo.getTime() - now.getTime()
  if (leftMs <= 0) return 'EXPIRED'
  return leftMs <= alertMs ? 'EXPIRING_SOON' : 'ACTIVE'
}

/** From the expiry alone: a clock that was temporarily wrong leaves no trace. PENDING and ERROR are kept. */
export function evaluateExpiry(status: CertificateStatus, validTo: Date | null, now: Date): CertificateStatus {
  if (validTo === null || !datedStatuses.some((dated) => dated === status)) return status
  return statusByExpiry(validTo, now)
}
