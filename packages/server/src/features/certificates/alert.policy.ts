import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { type NotificationCode, notificationTexts } from '@panel/contract/notification-texts'
import { knownSentences, sentenceText, type Sentence } from '@panel/contract/sentences'
import type { CertificateAlert } from '@panel/contract/certificates'
import { statusByExpiry } from '../domains/certificate-expiry.policy.ts'
import type { CertificateRow } from './certificates.repository.ts'

const dayMs = 24 * 3600 * 1000

export type AlertFacts = Pick<
  CertificateRow,
  'status' | 'type' | 'validTo' | 'failures' | 'errorMessage' | 'errorSentences' | 'renewAt' | 'autoRenew'
>
interface Alert extends Pick<CertificateAlert, 'reason' | 'message' | 'daysLeft'> {
  sentences: Sentence<NotificationCode>[]
}

/** A renewal in progress does not hide a near expiry. Undefined if no alert is needed. */
export function alertOf(hostname: string, facts: AlertFacts, now: Date): Alert | undefined {
  const reason = reasonOf(facts, now)
  if (reason === undefined) return undefined
  const { validTo } = facts
  const daysLeft = validTo === null ? null : Math.floor((validTo.getTime() - now.getTime()) / dayMs)
  const end = validTo?.toISOString().slice(0, 10) ?? ''
  const values = { hostname, end, count: facts.failures }
  const sentences = [{ code: `CERTIFICATE_${reason}` as const, values }, ...lastFailure(facts), nextStep(facts)]
  return { reason, daysLeft, message: sentenceText(notificationTexts, sentences), sentences }
}

function reasonOf({ status, validTo, failures }: AlertFacts, now: Date): CertificateAlert['reason'] | undefined {
  if (validTo === null) return status === 'ERROR' || failures > 0 ? 'ISSUANCE_FAILED' : undefined
  const byExpiry = statusByExpiry(validTo, now)
  if (byExpiry !== 'ACTIVE') return byExpiry
  return failures > 1 ? 'RENEWAL_FAILING' : undefined
}

function lastFailure({ errorMessage, errorSentences }: AlertFacts): Sentence<NotificationCode>[] {
  if (errorMessage === null) return []
  const sentences = knownSentences(certificateProblemTexts, errorSentences)
  return sentences.length === 0
    ? [{ code: 'LAST_TRY', values: { problem: errorMessage } }]
    : [{ code: 'LAST_TRY_ENDED' }, ...sentences]
}

function nextStep({ status, type, renewAt, autoRenew }: AlertFacts): Sentence<NotificationCode> {
  if (status === 'PENDING') return { code: 'TRIED_NOW' }
  if (renewAt !== null) {
    const at = renewAt.toISOString()
    return { code: 'TRIED_AGAIN', values: { day: at.slice(0, 10), time: at.slice(11, 16) } }
  }
  if (type === 'CUSTOM') return { code: 'UPLOAD_NEW' }
  return { code: autoRenew ? 'PROVISION_AGAIN' : 'RENEW' }
}
