import type { CertificateAlert } from '@panel/contract/certificates'
import { statusByExpiry } from '../domains/certificate-expiry.policy.ts'
import type { CertificateRow } from './certificates.repository.ts'

const dayMs = 24 * 3600 * 1000

export type AlertFacts = Pick<
  CertificateRow,
  'status' | 'type' | 'validTo' | 'failures' | 'errorMessage' | 'renewAt' | 'autoRenew'
>
type Alert = Pick<CertificateAlert, 'reason' | 'message' | 'daysLeft'>

/** What somebody should see to; undefined where nobody has to. The state of a renewal under way does not hide an end that is near. */
export function alertOf(hostname: string, facts: AlertFacts, now: Date): Alert | undefined {
  const reason = reasonOf(facts, now)
  if (reason === undefined) return undefined
  const { validTo } = facts
  const daysLeft = validTo === null ? null : Math.floor((validTo.getTime() - now.getTime()) / dayMs)
  const end = validTo?.toISOString().slice(0, 10) ?? ''
  const messages = {
    EXPIRED: `The certificate of ${hostname} expired on ${end}: browsers warn of the site.`,
    EXPIRING_SOON: `The certificate of ${hostname} expires on ${end}.`,
    RENEWAL_FAILING: `The certificate of ${hostname}, which lasts until ${end}, could not be renewed ${facts.failures} times.`,
    ISSUANCE_FAILED: `There is no certificate for ${hostname} yet.`
  } as const satisfies Record<CertificateAlert['reason'], string>
  return { reason, daysLeft, message: [messages[reason], why(facts), next(facts)].filter(Boolean).join(' ') }
}

function reasonOf({ status, validTo, failures }: AlertFacts, now: Date): CertificateAlert['reason'] | undefined {
  if (validTo === null) return status === 'ERROR' || failures > 0 ? 'ISSUANCE_FAILED' : undefined
  const byExpiry = statusByExpiry(validTo, now)
  if (byExpiry !== 'ACTIVE') return byExpiry
  return failures > 1 ? 'RENEWAL_FAILING' : undefined
}

const why = ({ errorMessage }: AlertFacts) =>
  errorMessage === null ? '' : `The last try: ${errorMessage.replace(/\.?$/, '.')}`

function next({ status, type, renewAt, autoRenew }: AlertFacts): string {
  if (status === 'PENDING') return 'It is being tried just now.'
  if (renewAt !== null)
    return `It is tried again by itself on ${renewAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`
  if (type === 'CUSTOM') return 'Upload the new one, or provision one.'
  return autoRenew
    ? 'It is not tried again by itself: provision it again once the cause is removed.'
    : 'Renew it, or switch autoRenew on.'
}
