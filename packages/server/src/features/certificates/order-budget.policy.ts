import type { CertificateProblemCode } from '@panel/contract/certificate-texts'
import type { Sentence } from '@panel/contract/sentences'

export interface AcceptedOrder {
  /** `refused`: rejected by our own checks, or by the CA before it created an order; does not count at the CA. */
  outcome: 'open' | 'issued' | 'failed' | 'refused'
  createdAt: Date
}

export interface OrderHistory {
  name: readonly AcceptedOrder[]
  account: readonly AcceptedOrder[]
  server: readonly AcceptedOrder[]
}

interface BudgetProblem {
  retryAt: Date
  reason: Sentence<CertificateProblemCode>[]
}

interface Limit {
  of: keyof OrderHistory
  outcomes: readonly AcceptedOrder['outcome'][]
  count: number
  windowMs: number
  appliesToRenewals: boolean
  code: CertificateProblemCode
}

const hourMs = 3600 * 1000
const placed = ['open', 'issued', 'failed'] as const

/**
 * Stays below Let's Encrypt's limits (https://letsencrypt.org/docs/rate-limits/), since exceeding one blocks us for
 * hours. All accounts share one ACME account: none may use the whole budget, and a part is reserved for renewals.
 */
const limits: readonly Limit[] = [
  {
    of: 'name',
    outcomes: ['failed', 'open'],
    count: 5,
    windowMs: hourMs,
    appliesToRenewals: true,
    code: 'TOO_MANY_OF_NAME'
  },
  {
    of: 'name',
    outcomes: ['issued'],
    count: 5,
    windowMs: 7 * 24 * hourMs,
    appliesToRenewals: true,
    code: 'TOO_MANY_OF_NAME'
  },
  {
    of: 'account',
    outcomes: ['failed', 'open', 'refused'],
    count: 20,
    windowMs: hourMs,
    appliesToRenewals: false,
    code: 'TOO_MANY_FAILURES'
  },
  {
    of: 'account',
    outcomes: placed,
    count: 50,
    windowMs: 3 * hourMs,
    appliesToRenewals: false,
    code: 'TOO_MANY_OF_ACCOUNT'
  },
  {
    of: 'server',
    outcomes: placed,
    count: 150,
    windowMs: 3 * hourMs,
    appliesToRenewals: false,
    code: 'TOO_MANY_BUT_RENEWALS'
  },
  {
    of: 'server',
    outcomes: placed,
    count: 250,
    windowMs: 3 * hourMs,
    appliesToRenewals: true,
    code: 'TOO_MANY_OF_SERVER'
  }
]

const longestWindowMs = (of: keyof OrderHistory) =>
  Math.max(...limits.filter((limit) => limit.of === of).map((limit) => limit.windowMs))

export const budgetWindowMs = {
  name: longestWindowMs('name'),
  account: longestWindowMs('account'),
  server: longestWindowMs('server')
} as const satisfies Record<keyof OrderHistory, number>

/** Returns the limit that blocks another order, and until when; the longest one if there are several. */
export function budgetProblem(
  history: OrderHistory,
  { hostname, isRenewal, now }: { hostname: string; isRenewal: boolean; now: Date }
): BudgetProblem | undefined {
  const problems = limits
    .filter(({ appliesToRenewals }) => appliesToRenewals || !isRenewal)
    .flatMap((limit) => {
      const retryAt = freeAt(history[limit.of], limit, now)
      return retryAt ? [{ retryAt, reason: [{ code: limit.code, values: { hostname } }] }] : []
    })
  return problems.sort((one, other) => other.retryAt.getTime() - one.retryAt.getTime())[0]
}

function freeAt(orders: readonly AcceptedOrder[], { outcomes, count, windowMs }: Limit, now: Date): Date | undefined {
  const counted = orders
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map((order) => order.createdAt.getTime())
    .filter((time) => time > now.getTime() - windowMs && time <= now.getTime())
    .sort((one, other) => other - one)
  const oldest = counted[count - 1]
  return oldest === undefined ? undefined : new Date(oldest + windowMs)
}
