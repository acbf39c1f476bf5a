import type { CertificateType } from '@panel/contract/certificates'
import type { Dependencies } from '../../dependencies.ts'
import { readCertificate } from '../../infra/x509/certificate.ts'
import { createSelfSigned } from '../../infra/x509/self-signed.ts'
import type { CertificateRow, CertificateValues } from './certificates.repository.ts'
import { type DatedStatus, statusByExpiry } from '../domains/certificate-expiry.policy.ts'
import { renewAt } from './renewal.policy.ts'

export interface CertificateContent {
  type: CertificateType
  chain: string
  keyPem: string
}

const selfSignedDays = 90

export async function makeSelfSigned(deps: Pick<Dependencies, 'now'>, hostname: string): Promise<CertificateContent> {
  return { type: 'SELF_SIGNED', ...(await createSelfSigned([hostname], { now: deps.now(), days: selfSignedDays })) }
}

export function contentValues(
  deps: Pick<Dependencies, 'now' | 'secretBox'>,
  { id, autoRenew }: Pick<CertificateRow, 'id' | 'autoRenew'>,
  { type, chain, keyPem }: CertificateContent
): { status: DatedStatus; values: CertificateValues & Pick<CertificateRow, 'commonName'> } {
  const now = deps.now()
  const { dnsNames, ...facts } = readCertificate(chain)
  return {
    status: statusByExpiry(facts.validTo, now),
    values: {
      ...facts,
      sans: dnsNames,
      type,
      chain,
      encryptedKey: deps.secretBox.seal(keyPem),
      renewAt: type !== 'CUSTOM' && autoRenew ? renewAt({ ...facts, id }) : null,
      failures: 0,
      pendingOrder: null,
      errorMessage: null,
      errorSentences: [],
      lastCheckedAt: now,
      ...(type === 'CUSTOM' ? {} : { lastRenewedAt: now })
    }
  }
}
