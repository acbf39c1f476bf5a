import type { CertificateType } from '@panel/contract/certificates'
import type { ChallengeType } from '../../infra/acme/acme.ts'

/** Self-signed below .localhost (RFC 6761 §6.3) and in tests without ACME_DIRECTORY_URL, otherwise from the CA. */
export function certificateTypeFor(
  hostname: string,
  config: { NODE_ENV: string; ACME_DIRECTORY_URL?: string | undefined }
): Exclude<CertificateType, 'CUSTOM'> {
  const isLocal = hostname.endsWith('.localhost')
  const hasNoCa = config.NODE_ENV === 'test' && config.ACME_DIRECTORY_URL === undefined
  return isLocal || hasNoCa ? 'SELF_SIGNED' : 'LETS_ENCRYPT'
}

export const challengeTypeFor = (hostname: string): ChallengeType => (hostname.startsWith('*.') ? 'dns-01' : 'http-01')
