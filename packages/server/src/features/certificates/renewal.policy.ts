import { createHash } from 'node:crypto'
import type { CertificateRow } from './certificates.repository.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Spread over a tenth of the lifetime, so that certificates issued together are not renewed together. */
export function renewAt({ validFrom, validTo, id }: { validFrom: Date; validTo: Date; id: string }): Date {
  const lifeMs = Math.max(0, validTo.getTime() - validFrom.getTime())
  return new Date(validTo.getTime() - lifeMs / 3 - (lifeMs / 10) * hashFraction(id))
}

/** Whether an order is a due renewal; an earlier one counts as requested by a user. */
export function isDueRenewal(
  { id, type, chain, validFrom, validTo }: Pick<CertificateRow, 'id' | 'type' | 'chain' | 'validFrom' | 'validTo'>,
  now: Date
): boolean {
  if (type !== 'LETS_ENCRYPT' || chain === null || validFrom === null || validTo === null) return false
  return renewAt({ id, validFrom, validTo }) <= now
}

const pausesMs = [5 * minuteMs, hourMs, 6 * hourMs, dayMs]

/** Let's Encrypt limits last at most a week; a longer Retry-After must not block a site indefinitely. */
const longestRetryAfterMs = 7 * dayMs

/** Increasing backoff with up to 10% jitter. */
export function retryAt({
  failures,
  now,
  retryAfterSeconds = 0,
  id
}: {
  failures: number
  now: Date
  retryAfterSeconds?: number | undefined
  id: string
}): Date {
  const spread = hashFraction(`${id} ${failures}`)
  const pauseMs = pausesMs[Math.min(Math.max(failures, 1), pausesMs.length) - 1]!
  const requestedMs = Math.min(retryAfterSeconds * 1000, longestRetryAfterMs)
  // Jitter on top, because other clients got the same Retry-After.
  return new Date(now.getTime() + Math.ceil(Math.max(pauseMs * (1 - spread / 10), requestedMs * (1 + spread / 10))))
}

/** `postponed`: by our own limits, independent of the hostname. */
export type FailureKind = 'unavailable' | 'rate-limited' | 'refused' | 'postponed'

/** After three refusals the owner has to fix something. */
const maxRefusedTries = 3

/** Null if the owner must act first; anything else is retried indefinitely, at least once a day. */
export function nextTry(facts: {
  kind: FailureKind
  retryAfterSeconds?: number | undefined
  /** Including this one. */
  failures: number
  isRenewal: boolean
  now: Date
  id: string
}): Date | null {
  if (facts.kind === 'refused' && !facts.isRenewal && facts.failures > maxRefusedTries) return null
  return retryAt(facts)
}

const hashFraction = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
