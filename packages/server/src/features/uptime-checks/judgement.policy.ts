import { parseStatusSet, type UptimeReason } from '@panel/contract/uptime-checks'
import type { FrontDoorAnswer } from '../../infra/front-door/front-door.ts'
import type { Outcome } from './uptime.machine.ts'

export interface Expectation {
  hostname: string
  protocol: 'http' | 'https'
  expectedStatus: string
  text: string | null
  textMode: 'present' | 'absent'
}

export interface Judgement {
  outcome: Outcome
  reason: UptimeReason | null
  status: number | null
  ms: number | null
  tlsDaysLeft: number | null
}

const dayMs = 24 * 3_600_000
const inconclusive: readonly UptimeReason[] = ['PROXY_AWAY', 'CHECKER_DELAYED']

/** Evaluates the response of a site. */
export function judge(expected: Expectation, answer: FrontDoorAnswer, now: Date): Judgement {
  const { status, ms, certificate } = answer
  const reason = reasonOf(expected, answer, now)
  return {
    outcome: reason === null ? 'up' : inconclusive.includes(reason) ? 'unknown' : 'down',
    reason,
    status,
    ms,
    tlsDaysLeft: certificate === null ? null : Math.floor((certificate.validTo.getTime() - now.getTime()) / dayMs)
  }
}

/** The first failed check, in order: connection, status, text. */
function reasonOf(expected: Expectation, { failure, certificate, status, body }: FrontDoorAnswer, now: Date) {
  if (certificate !== null) {
    if (!certificate.isForName) return 'TLS_NAME'
    if (certificate.validTo <= now || certificate.validFrom > now) return 'TLS_EXPIRED'
  }
  if (failure !== null) return failure
  if (status === null || !isAmong(expected.expectedStatus, status)) return 'STATUS'
  if (expected.text === null) return null
  const isThere = body.includes(expected.text)
  if (expected.textMode === 'present') return isThere ? null : 'TEXT_MISSING'
  return isThere ? 'TEXT_PRESENT' : null
}

const isAmong = (set: string, status: number): boolean =>
  (parseStatusSet(set) ?? []).some(([from, to]) => status >= from && status <= to)
