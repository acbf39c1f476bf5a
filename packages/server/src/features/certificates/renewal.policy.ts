import { createHash } from 'node:crypto'
import type { CertificateRow } from './certificates.repository.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * When a third of the life is left; earlier by up to a tenth of the life, so that certificates that were issued together, as after a
 * move of a server, are not renewed together.
 */
export function renewAt({ validFrom, validTo, id }: { validFrom: Date; validTo: Date; id: string }): Date {
  const lifeMs = Math.max(0, validTo.getTime() - validFrom.getTime())
  return new Date(validTo.getTime() - lifeMs / 3 - (lifeMs / 10) * share(id))
}

/** Whether an order renews what is served, and its time has come; an earlier one is one more that somebody asks for. */
export function isDueRenewal(
  { id, type, chain, validFrom, validTo }: Pick<CertificateRow, 'id' | 'type' | 'chain' | 'validFrom' | 'validTo'>,
  now: Date
): boolean {
  if (type !== 'LETS_ENCRYPT' || chain === null || validFrom === null || validTo === null) return false
  return renewAt({ id, validFrom, validTo }) <= now
}

const pausesMs = [5 * minuteMs, hourMs, 6 * hourMs, dayMs]

/** A limit of Let's Encrypt never lasts longer than a week; who names more would keep a site without a certificate for ever. */
const longestRetryAfterMs = 7 * dayMs

/** After so many failures in a row, each pause longer than the one before, and shorter by up to a tenth: not all at one moment. */
export function retryAt({
  failures,
  now,
  retryAfterSeconds = 0,
  id
}: {
  failures: number
  now: Date
  /** As the authority asked; never before. */
  retryAfterSeconds?: number | undefined
  id: string
}): Date {
  const spread = share(`${id} ${failures}`)
  const pauseMs = pausesMs[Math.min(Math.max(failures, 1), pausesMs.length) - 1]!
  const requestedMs = Math.min(retryAfterSeconds * 1000, longestRetryAfterMs)
  // Who was told to wait waits a little longer, since the others were told the same.
  return new Date(now.getTime() + Math.ceil(Math.max(pauseMs * (1 - spread / 10), requestedMs * (1 + spread / 10))))
}

/** `postponed`: by our own limits, which says nothing about the name. */
export type FailureKind = 'unavailable' | 'rate-limited' | 'refused' | 'postponed'

/** A name that is refused three times has something for its owner to change. */
const maxRefusedTries = 3

/**
 * When it is tried again by itself; null where only its owner can. A renewal goes on until it is there, at last once a day, and so does
 * what no change of the owner's can help.
 */
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

/** Between 0 and 1, always the same for a text. */
const share = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
