import type { CertificateStatus } from '@panel/contract/certificates'

/** A served certificate's state follows from its expiry; ERROR means there is nothing to serve. */
const moves = {
  PENDING: ['ACTIVE', 'EXPIRING_SOON', 'EXPIRED', 'ERROR'],
  ACTIVE: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED'],
  EXPIRING_SOON: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED'],
  EXPIRED: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED'],
  ERROR: ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED']
} as const satisfies Record<CertificateStatus, readonly CertificateStatus[]>

export function sourcesOf(target: CertificateStatus): CertificateStatus[] {
  return (Object.keys(moves) as CertificateStatus[]).filter((source) =>
    (moves[source] as readonly string[]).includes(target)
  )
}
