import type { CertificateType } from '@panel/contract/certificates'
import type { ChallengeType } from '../../infra/acme/acme.ts'

/**
 * Where a certificate for the name comes from. No authority knows names below .localhost (RFC 6761 §6.3), and tests ask none unless one
 * is named.
 */
export function certificateTypeFor(
  hostname: string,
  config: { NODE_ENV: string; ACME_DIRECTORY_URL?: string | undefined }
): Exclude<CertificateType, 'CUSTOM'> {
  const isLocal = hostname.endsWith('.localhost')
  const hasNoAuthority = config.NODE_ENV === 'test' && config.ACME_DIRECTORY_URL === undefined
  return isLocal || hasNoAuthority ? 'SELF_SIGNED' : 'LETS_ENCRYPT'
}

/** Only the zone itself can prove a wildcard. Everything else is proved at the proxy, which needs no zone here. */
export const challengeTypeFor = (hostname: string): ChallengeType => (hostname.startsWith('*.') ? 'dns-01' : 'http-01')
