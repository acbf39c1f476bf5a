import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import type { Certificate } from '@panel/contract/certificates'
import { knownSentences } from '@panel/contract/sentences'
import { evaluateExpiry } from '../domains/certificate-expiry.policy.ts'
import type { CertificateRow } from './certificates.repository.ts'

/** Lists members explicitly, so that new columns are never exposed by accident. */
export function certificateView(row: CertificateRow, now: Date): Certificate {
  const { id, domainId, type, issuer, commonName, sans, autoRenew, forceHttps, serialNumber, errorMessage } = row
  return {
    id,
    domainId,
    type,
    status: evaluateExpiry(row.status, row.validTo, now),
    issuer,
    commonName,
    sans,
    validFrom: timestamp(row.validFrom),
    validTo: timestamp(row.validTo),
    autoRenew,
    forceHttps,
    certPath: null,
    keyPath: null,
    serialNumber,
    errorMessage,
    errorSentences: knownSentences(certificateProblemTexts, row.errorSentences),
    nextRenewalAt: timestamp(row.renewAt),
    lastCheckedAt: timestamp(row.lastCheckedAt),
    lastRenewedAt: timestamp(row.lastRenewedAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

const timestamp = (date: Date | null): string | null => date?.toISOString() ?? null
