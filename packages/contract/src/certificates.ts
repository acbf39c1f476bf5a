import { z } from 'zod'
import { certificateProblemTexts } from './certificate-texts.ts'
import { Id, Message, sentencesOf, Timestamp } from './common.ts'

export const certificateTypes = ['LETS_ENCRYPT', 'CUSTOM', 'SELF_SIGNED'] as const
export const CertificateType = z.enum(certificateTypes).meta({
  description:
    'LETS_ENCRYPT: ordered and renewed by the panel. CUSTOM: uploaded. SELF_SIGNED: made by the panel for a name that no authority issues for.'
})
export type CertificateType = z.infer<typeof CertificateType>

export const certificateStatuses = ['PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED', 'ERROR'] as const
export const CertificateStatus = z.enum(certificateStatuses).meta({
  description:
    'PENDING: ordered. ACTIVE: served. EXPIRING_SOON: served, and ends within 7 days. EXPIRED: its time is over. ERROR: none is served, ' +
    'as the order failed.'
})
export type CertificateStatus = z.infer<typeof CertificateStatus>

/** Days before the end at which a certificate counts as EXPIRING_SOON. */
export const expiryAlertDays = 7

/** Why there is no certificate, by codes. */
export const CertificateProblem = sentencesOf('CertificateProblemCode', certificateProblemTexts)

export const Certificate = z
  .object({
    id: Id,
    domainId: Id,
    type: CertificateType,
    status: CertificateStatus.meta({
      description: 'PENDING while issuance or renewal runs; a certificate that there was before goes on being served.'
    }),
    issuer: z.string().nullable(),
    commonName: z.string(),
    sans: z.array(z.string()),
    validFrom: Timestamp.nullable(),
    validTo: Timestamp.nullable(),
    autoRenew: z.boolean(),
    forceHttps: z.boolean().meta({ description: 'Takes effect as soon as there is a certificate to serve.' }),
    certPath: z.null().meta({ description: 'Always null: the proxy’s copy lies in memory only.' }),
    keyPath: z.null().meta({ description: 'Always null; the key is stored encrypted and never shown.' }),
    serialNumber: z.string().nullable(),
    errorMessage: z.string().nullable().meta({ description: 'Why the last order failed.' }),
    errorSentences: CertificateProblem,
    nextRenewalAt: Timestamp.nullable().meta({ description: 'When it is renewed, or tried again, by itself.' }),
    lastCheckedAt: Timestamp.nullable(),
    lastRenewedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Certificate' })
export type Certificate = z.infer<typeof Certificate>

/** A chain of RSA-4096 certificates has some 8 KB; what the proxy takes at run time is bounded too. */
const maxPemCharacters = 64 * 1024

export const UploadCertificate = z.object({
  certificate: z.string().min(1).max(maxPemCharacters).meta({ description: 'PEM; the chain follows the certificate.' }),
  privateKey: z.string().min(1).max(maxPemCharacters).meta({ description: 'PEM, not encrypted.' })
})
export type UploadCertificate = z.infer<typeof UploadCertificate>

export const CertificateSettings = z
  .object({ forceHttps: z.boolean(), autoRenew: z.boolean() })
  .partial()
  .refine((settings) => Object.keys(settings).length > 0, { error: 'must have forceHttps or autoRenew' })
export type CertificateSettings = z.infer<typeof CertificateSettings>

const alertReasons = ['EXPIRED', 'EXPIRING_SOON', 'RENEWAL_FAILING', 'ISSUANCE_FAILED'] as const
export const CertificateAlertReason = z.enum(alertReasons)
export type CertificateAlertReason = z.infer<typeof CertificateAlertReason>

export const CertificateAlert = z
  .object({
    domainId: Id,
    hostname: z.string(),
    certificateId: Id,
    status: CertificateStatus,
    validTo: Timestamp.nullable(),
    daysLeft: z.int().nullable(),
    reason: CertificateAlertReason,
    message: z.string()
  })
  .meta({ id: 'CertificateAlert' })
export type CertificateAlert = z.infer<typeof CertificateAlert>

export const CertificateAlerts = z
  .object({
    checkedAt: Timestamp,
    checked: z.int().meta({ description: 'Certificates of yours that were looked at.' }),
    alerts: z.array(CertificateAlert).meta({ description: 'The most urgent first, at most 1,000.' })
  })
  .meta({ id: 'CertificateAlerts' })
export type CertificateAlerts = z.infer<typeof CertificateAlerts>

export const CertificateRemoved = Message
