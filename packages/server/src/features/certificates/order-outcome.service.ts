import { type CertificateProblemCode, certificateProblemTexts } from '@panel/contract/certificate-texts'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { asAppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { AcmeError } from '../../infra/acme/acme.ts'
import { type CertificateContent, contentValues } from './certificate-content.service.ts'
import { statusByExpiry } from '../domains/certificate-expiry.policy.ts'
import { type CertificateRow, lockCertificateOf, moveCertificate } from './certificates.repository.ts'
import { closeOrder } from './orders.repository.ts'
import { type FailureKind, nextTry } from './renewal.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'jobs' | 'logger' | 'now' | 'secretBox'>

export interface OrderFailure {
  kind: FailureKind
  /** Shown to the owner; a string if it is third-party text. */
  reason: string | Sentence<CertificateProblemCode>[]
  retryAfterSeconds?: number | undefined
  closedAs?: 'issued' | 'failed'
}

/** A failure of the panel: the CA was not contacted, or issued something unusable. */
export class OrderFailedError extends Error {
  readonly failure: OrderFailure

  constructor(failure: OrderFailure) {
    super(textOf(failure))
    this.name = 'OrderFailedError'
    this.failure = failure
  }
}

const textOf = ({ reason }: OrderFailure): string =>
  typeof reason === 'string' ? reason : sentenceText(certificateProblemTexts, reason)

export function failureOf(deps: Pick<Deps, 'logger'>, error: unknown, domainId: string): OrderFailure {
  if (error instanceof OrderFailedError) return error.failure
  if (error instanceof AcmeError) {
    const kind = error.kind === 'aborted' ? 'unavailable' : error.kind
    const { retryAfterSeconds } = error
    const reason = [{ code: problemCodes[error.kind], values: { answer: error.message } }]
    return { kind, reason, retryAfterSeconds, ...(kind === 'refused' ? { closedAs: 'failed' } : {}) }
  }
  const known = asAppError(error)
  if (known) return { kind: 'unavailable', reason: known.message }
  deps.logger.error({ err: error, domain: domainId, reason: messageOf(error) }, 'Certificate order failed')
  return { kind: 'unavailable', reason: [{ code: 'ORDER_BROKE' }] }
}

const problemCodes = {
  refused: 'AUTHORITY_REFUSED',
  unavailable: 'AUTHORITY_UNAVAILABLE',
  'rate-limited': 'AUTHORITY_LIMITS',
  aborted: 'ORDER_TOOK_TOO_LONG'
} as const satisfies Record<AcmeError['kind'], CertificateProblemCode>

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
const truncate = (text: string): string => text.slice(0, maxMessageCharacters).toWellFormed()
const truncateSentence = <Code extends string>({ code, values = {} }: Sentence<Code>): Sentence<Code> => ({
  code,
  values: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? truncate(value) : value])
  )
})

/** The current certificate stays in use, and an order that may still be valid is resumed by the next attempt. */
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
        errorMessage: truncate(textOf(failure)),
        errorSentences: typeof failure.reason === 'string' ? [] : failure.reason.map(truncateSentence),
        renewAt: nextTry({ kind, retryAfterSeconds, failures, isRenewal, now, id: row.id }),
        ...(closedAs ? { pendingOrder: null } : {})
      },
      now
    )
    if (failures === alertAtFailures && failures > row.failures)
      await deps.jobs.enqueue(trx, 'certificates.alert', { certificateId: row.id }, { key: row.id })
  })
}
