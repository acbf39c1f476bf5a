import { signalWithin } from '../../concurrency/time-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { AcmeError, type AcmeOrderRequest, type IssuedCertificate } from '../../infra/acme/acme.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { type CertificateContent, makeSelfSigned } from './certificate-content.service.ts'
import { certificateTypeFor, challengeTypeFor } from './certificate-type.policy.ts'
import { type CertificateRow, findWithDomain, lockCertificateOf, updateCertificate } from './certificates.repository.ts'
import { clearChallenges, publishChallenge, unpublishChallenge } from './challenges.service.ts'
import { failureOf, OrderFailedError, recordFailure, recordIssued } from './order-outcome.service.ts'
import { closeOrder, insertRefused, openOrder } from './orders.repository.ts'
import { findBudgetWait, openOrderOf, ownerOf } from './orders.service.ts'
import { findIssuanceProblem } from './precheck.service.ts'
import { tryApplyCertificate } from './served-certificates.service.ts'
import { checkUpload } from './upload.policy.ts'

export type IssuanceDeps = Pick<
  Dependencies,
  | 'acme'
  | 'config'
  | 'db'
  | 'dnsServer'
  | 'instanceId'
  | 'jobs'
  | 'logger'
  | 'network'
  | 'now'
  | 'proxy'
  | 'publicDns'
  | 'secretBox'
>
type Deps = IssuanceDeps

interface Ordered {
  certificate: CertificateRow
  domain: DomainRow
}

const orderTimeoutMs = 10 * 60_000

/** Safe to interrupt and rerun, one at a time (issue-next.jobs.ts): resumes the order at the CA. */
export async function issueCertificate(deps: Deps, domainId: string, signal: AbortSignal): Promise<void> {
  const ordered = await findWithDomain(deps.db, domainId)
  if (!ordered) return // deleted in the meantime
  const { certificate, domain } = ordered
  await clearChallenges(deps, domainId)
  if (certificate.status === 'PENDING') {
    try {
      await recordIssued(deps, certificate, await obtain(deps, ordered, signal))
    } catch (error) {
      signal.throwIfAborted()
      await recordFailure(deps, certificate, failureOf(deps, error, domainId))
    } finally {
      await clearChallenges(deps, domainId).catch((error: unknown) =>
        deps.logger.warn({ domain: domainId, error: messageOf(error) }, 'Could not delete ACME challenges')
      )
    }
  }
  // Repeated in case the process that stored it stopped before this.
  await tryApplyCertificate(deps, { id: certificate.id, hostname: domain.hostname })
}

async function obtain(deps: Deps, ordered: Ordered, signal: AbortSignal): Promise<CertificateContent> {
  const { hostname } = ordered.domain
  const type = certificateTypeFor(hostname, deps.config)
  if (type === 'SELF_SIGNED') return makeSelfSigned(deps, hostname)
  if (!openOrderOf(ordered.certificate, deps.acme.directoryUrl)) await check(deps, ordered, signal)
  return { type, ...checkIssued(deps, ordered.domain, await orderCertificate(deps, ordered, signal)) }
}

async function orderCertificate(deps: Deps, ordered: Ordered, signal: AbortSignal): Promise<IssuedCertificate> {
  const { domain, certificate } = ordered
  const request = orderRequest(deps, ordered, signalWithin(orderTimeoutMs, signal))
  let isOrdered = request.resume !== undefined
  const onOrder: AcmeOrderRequest['onOrder'] = (order) => {
    isOrdered = true
    return request.onOrder(order)
  }
  try {
    return await deps.acme.order({ ...request, onOrder })
  } catch (error) {
    // If the CA rejects the order itself, there is no order to count.
    const isAnswer = error instanceof AcmeError && (error.kind === 'refused' || error.kind === 'rate-limited')
    if (isAnswer && !isOrdered) await insertRefused(deps.db, ownerOf(domain, certificate, deps.now()), deps.now())
    throw error
  }
}

async function check(deps: Deps, { certificate, domain }: Ordered, signal: AbortSignal): Promise<void> {
  const owner = ownerOf(domain, certificate, deps.now())
  const wait = await findBudgetWait(deps.db, owner, deps.now())
  if (wait) throw new OrderFailedError({ kind: 'postponed', ...wait })
  const problem = await findIssuanceProblem(deps, domain, signal)
  if (!problem) return
  await insertRefused(deps.db, owner, deps.now())
  throw new OrderFailedError(problem)
}

/** Applies the checks of an upload to what the CA issued. */
function checkIssued(deps: Deps, { id, hostname }: DomainRow, { chain, keyPem }: IssuedCertificate): IssuedCertificate {
  try {
    const checked = checkUpload({ certificatePem: chain, keyPem, hostname, now: deps.now() })
    return { chain: checked.chain, keyPem: checked.keyPem }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.logger.error(
      { domain: id, hostname, reason: error.message },
      'The certificate authority issued a certificate that cannot be served'
    )
    const reason = [{ code: 'NOT_SERVABLE' as const, values: { problem: error.message } }]
    throw new OrderFailedError({ kind: 'unavailable', reason, closedAs: 'issued' })
  }
}

function orderRequest(deps: Deps, ordered: Ordered, signal: AbortSignal): AcmeOrderRequest {
  const { certificate, domain } = ordered
  const started = openOrderOf(certificate, deps.acme.directoryUrl)
  return {
    hostnames: [domain.hostname],
    challengeType: challengeTypeFor(domain.hostname),
    ...(started ? { resume: { orderUrl: started.orderUrl, keyPem: deps.secretBox.open(started.key) } } : {}),
    onOrder: (order) => storeOrder(deps, ordered, order),
    publish: (challenge) => publishChallenge(deps, domain.id, challenge),
    unpublish: (challenge) => unpublishChallenge(deps, domain.id, challenge),
    signal
  }
}

/** Stores the order so that it can be resumed. An order that it replaces is abandoned at the CA, but still counted. */
async function storeOrder(
  deps: Deps,
  { certificate, domain }: Ordered,
  { orderUrl, keyPem }: { orderUrl: string; keyPem: string }
): Promise<void> {
  const now = deps.now()
  const isStored = await deps.db.transaction(async (trx) => {
    const row = await lockCertificateOf(trx, certificate.domainId)
    await openOrder(trx, orderUrl, ownerOf(domain, certificate, now), now)
    if (row?.id !== certificate.id || row.status !== 'PENDING') {
      await closeOrder(trx, orderUrl, 'failed')
      return false
    }
    if (row.pendingOrder && row.pendingOrder.orderUrl !== orderUrl)
      await closeOrder(trx, row.pendingOrder.orderUrl, 'failed')
    const pendingOrder = { directoryUrl: deps.acme.directoryUrl, orderUrl, key: deps.secretBox.seal(keyPem) }
    await updateCertificate(trx, row.id, { pendingOrder }, now)
    return true
  })
  if (!isStored) throw new Error('The certificate was deleted or replaced in the meantime')
}
