import type { CertificateProblemCode } from '@panel/contract/certificate-texts'
import type { Sentence } from '@panel/contract/sentences'

export interface AcceptedOrder {
  /** `refused`: by our own checks, or at the authority's door, so that there is no order that it counts. */
  outcome: 'open' | 'issued' | 'failed' | 'refused'
  createdAt: Date
}

/** What counts for one more order. */
export interface OrderHistory {
  /** For the same host name. */
  name: readonly AcceptedOrder[]
  /** Of its account, but for renewals that were due. */
  account: readonly AcceptedOrder[]
  server: readonly AcceptedOrder[]
}

interface BudgetProblem {
  retryAt: Date
  /** Which limit it is. */
  says: Sentence<CertificateProblemCode>[]
}

interface Limit {
  of: keyof OrderHistory
  outcomes: readonly AcceptedOrder['outcome'][]
  count: number
  windowMs: number
  /** Whether it holds for a renewal that is due too. */
  holdsForRenewals: boolean
  code: CertificateProblemCode
}

const hourMs = 3600 * 1000
const placed = ['open', 'issued', 'failed'] as const

/**
 * Let's Encrypt allows 5 failed validations of a name per hour, 5 certificates for the same set of names per 7 days, and 300 orders per
 * 3 hours, per account (https://letsencrypt.org/docs/rate-limits/); one account is the whole server's here. Who goes over it gets nothing
 * for hours or days, so that we stop by ourselves: some orders early, since several may be placed at once. An order that was left open
 * may yet fail. No account takes all of it, and new certificates leave room for those that must be renewed.
 */
const limits: readonly Limit[] = [
  {
    of: 'name',
    outcomes: ['failed', 'open'],
    count: 5,
    windowMs: hourMs,
    holdsForRenewals: true,
    code: 'TOO_MANY_OF_NAME'
  },
  {
    of: 'name',
    outcomes: ['issued'],
    count: 5,
    windowMs: 7 * 24 * hourMs,
    holdsForRenewals: true,
    code: 'TOO_MANY_OF_NAME'
  },
  {
    of: 'account',
    outcomes: ['failed', 'open', 'refused'],
    count: 20,
    windowMs: hourMs,
    holdsForRenewals: false,
    code: 'TOO_MANY_FAILURES'
  },
  {
    of: 'account',
    outcomes: placed,
    count: 50,
    windowMs: 3 * hourMs,
    holdsForRenewals: false,
    code: 'TOO_MANY_OF_ACCOUNT'
  },
  {
    of: 'server',
    outcomes: placed,
    count: 150,
    windowMs: 3 * hourMs,
    holdsForRenewals: false,
    code: 'TOO_MANY_BUT_RENEWALS'
  },
  {
    of: 'server',
    outcomes: placed,
    count: 250,
    windowMs: 3 * hourMs,
    holdsForRenewals: true,
    code: 'TOO_MANY_OF_SERVER'
  }
]

const longestWindowMs = (of: keyof OrderHistory) =>
  Math.max(...limits.filter((limit) => limit.of === of).map((limit) => limit.windowMs))

/** How far back orders count. */
export const budgetWindowMs = {
  name: longestWindowMs('name'),
  account: longestWindowMs('account'),
  server: longestWindowMs('server')
} as const satisfies Record<keyof OrderHistory, number>

/** Whether another order for the name has to wait, until when and why; of several reasons, the one that lasts longest. */
export function budgetProblem(
  history: OrderHistory,
  { hostname, isRenewal, now }: { hostname: string; isRenewal: boolean; now: Date }
): BudgetProblem | undefined {
  const problems = limits
    .filter(({ holdsForRenewals }) => holdsForRenewals || !isRenewal)
    .flatMap((limit) => {
      const retryAt = freeAt(history[limit.of], limit, now)
      return retryAt ? [{ retryAt, says: [{ code: limit.code, values: { hostname } }] }] : []
    })
  return problems.sort((one, other) => other.retryAt.getTime() - one.retryAt.getTime())[0]
}

/** When the limit leaves room for one more; undefined where it does now. */
function freeAt(orders: readonly AcceptedOrder[], { outcomes, count, windowMs }: Limit, now: Date): Date | undefined {
  const counted = orders
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map((order) => order.createdAt.getTime())
    .filter((time) => time > now.getTime() - windowMs && time <= now.getTime())
    .sort((one, other) => other - one)
  const oldest = counted[count - 1]
  return oldest === undefined ? undefined : new Date(oldest + windowMs)
}
