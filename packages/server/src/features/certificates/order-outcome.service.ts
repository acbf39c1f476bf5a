import type { Dependencies } from '../../dependencies.ts'
import { asAppError } from '../../errors.ts'
import { messageOf } from '../../message-of.ts'
import { AcmeError } from '../../infra/acme/acme.ts'
import { type CertificateContent, contentValues } from './certificate-content.service.ts'
import { statusByExpiry } from '../domains/certificate-expiry.policy.ts'
import { type CertificateRow, lockCertificateOf, moveCertificate } from './certificates.repository.ts'
import { closeOrder } from './orders.repository.ts'
import { type FailureKind, nextTry } from './renewal.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'jobs' | 'logger' | 'now' | 'secretBox'>

export interface OrderFailure {
  kind: FailureKind
  /** For the owner. */
  message: string
  retryAfterSeconds?: number | undefined
  /** Of an order with which nobody can go on: how it counts. */
  closedAs?: 'issued' | 'failed'
}

/** Why there is no certificate, as we see it: the authority was not even asked, or what it delivered is none. */
export class OrderFailedError extends Error {
  readonly failure: OrderFailure

  constructor(failure: OrderFailure) {
    super(failure.message)
    this.name = 'OrderFailedError'
    this.failure = failure
  }
}

/** What is told of an order that did not come off. What nobody expected stays in the log. */
export function failureOf(deps: Pick<Deps, 'logger'>, error: unknown, domainId: string): OrderFailure {
  if (error instanceof OrderFailedError) return error.failure
  if (error instanceof AcmeError) {
    const kind = error.kind === 'aborted' ? 'unavailable' : error.kind
    const { retryAfterSeconds } = error
    const message = `${sayings[error.kind]}: ${error.message}`
    return { kind, message, retryAfterSeconds, ...(kind === 'refused' ? { closedAs: 'failed' } : {}) }
  }
  const told = asAppError(error)
  if (told) return { kind: 'unavailable', message: told.message }
  deps.logger.error({ err: error, domain: domainId, reason: messageOf(error) }, 'certificate order')
  return {
    kind: 'unavailable',
    message: 'The order could not be finished; whoever runs the panel finds why in its log'
  }
}

const sayings = {
  refused: 'The certificate authority refused',
  unavailable: 'The certificate authority cannot do it just now',
  'rate-limited': 'The certificate authority has its limits',
  aborted: 'The order took too long'
} as const satisfies Record<AcmeError['kind'], string>

/** The row that the order was for; undefined where somebody has removed or replaced it meanwhile, so that nobody waits for it. */
async function lockOrdered(
  trx: Parameters<typeof lockCertificateOf>[0],
  ordered: Pick<CertificateRow, 'id' | 'domainId'>
): Promise<CertificateRow | undefined> {
  const row = await lockCertificateOf(trx, ordered.domainId)
  return row?.id === ordered.id && row.status === 'PENDING' ? row : undefined
}

export async function recordIssued(
  deps: Deps,
  ordered: Pick<CertificateRow, 'id' | 'domainId'>,
  content: CertificateContent
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const row = await lockOrdered(trx, ordered)
    if (!row) return
    if (row.pendingOrder) await closeOrder(trx, row.pendingOrder.orderUrl, 'issued')
    const { status, values } = contentValues(deps, row, content)
    await moveCertificate(trx, row.id, status, values, deps.now())
  })
}

const alertAtFailures = 2
const maxMessageCharacters = 2_000

/**
 * What was served before goes on being served. An order that the authority may still have is kept for the next try; the second failure
 * of a row is told to the owner, once.
 */
export async function recordFailure(
  deps: Deps,
  ordered: Pick<CertificateRow, 'id' | 'domainId'>,
  failure: OrderFailure
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const row = await lockOrdered(trx, ordered)
    if (!row) return
    const now = deps.now()
    const { kind, retryAfterSeconds, closedAs } = failure
    const failures = kind === 'postponed' ? row.failures : row.failures + 1
    if (closedAs && row.pendingOrder) await closeOrder(trx, row.pendingOrder.orderUrl, closedAs)
    const isServed = row.chain !== null && row.validTo !== null
    const isRenewal = isServed && row.type !== 'CUSTOM' && row.autoRenew
    await moveCertificate(
      trx,
      row.id,
      isServed ? statusByExpiry(row.validTo!, now) : 'ERROR',
      {
        failures,
        errorMessage: failure.message.slice(0, maxMessageCharacters).toWellFormed(),
        renewAt: nextTry({ kind, retryAfterSeconds, failures, isRenewal, now, id: row.id }),
        ...(closedAs ? { pendingOrder: null } : {})
      },
      now
    )
    if (failures === alertAtFailures && failures > row.failures)
      await deps.jobs.enqueue(trx, 'certificates.alert', { certificateId: row.id }, { key: row.id })
  })
}
