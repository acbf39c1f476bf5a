import type { CertificateStatus } from '@panel/contract/certificates'

/**
 * The states of a certificate: an order begins from anywhere but an order, and what comes to be served, by an
 * order or by hand, decides the state by its end. Only what has nothing to serve is in ERROR.
 */
const moves = {
  PENDING: ['ACTIVE', 'EXPIRING_SOON', 'EXPIRED', 'ERROR'],
  ACTIVE: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED'],
  EXPIRING_SOON: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED'],
  EXPIRED: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED'],
  ERROR: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED']
} as const satisfies Record<CertificateStatus, readonly CertificateStatus[]>

/** The states from which a move to `target` is allowed: what the compare-and-swap compares. */
export function sourcesOf(target: CertificateStatus): CertificateStatus[] {
  return (Object.keys(moves) as CertificateStatus[]).filter((source) =>
    (moves[source] as readonly string[]).includes(target)
  )
}
