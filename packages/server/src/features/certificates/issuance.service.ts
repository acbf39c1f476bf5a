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
  'acme' | 'config' | 'db' | 'dnsServer' | 'jobs' | 'logger' | 'network' | 'now' | 'proxy' | 'publicDns' | 'secretBox'
>
type Deps = IssuanceDeps

interface Ordered {
  certificate: CertificateRow
  domain: DomainRow
}

const orderTimeoutMs = 10 * 60_000

/**
 * The order of a PENDING certificate. It may end anywhere and be run again, but one at a time (issue-next.jobs.ts): the order at the authority
 * is the same one, what was published is taken back, and what was issued is served.
 */
export async function issueCertificate(deps: Deps, domainId: string, signal: AbortSignal): Promise<void> {
  const ordered = await findWithDomain(deps.db, domainId)
  if (!ordered) return // Removed meanwhile.
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
        deps.logger.warn({ domain: domainId, error: messageOf(error) }, 'challenges not taken back yet')
      )
    }
  }
  // Also where the process that stored it did not get as far.
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
  const request = orderRequest(deps, ordered, AbortSignal.any([signal, AbortSignal.timeout(orderTimeoutMs)]))
  let isOrdered = request.resume !== undefined
  const onOrder: AcmeOrderRequest['onOrder'] = (order) => {
    isOrdered = true
    return request.onOrder(order)
  }
  try {
    return await deps.acme.order({ ...request, onOrder })
  } catch (error) {
    // Of a name that the authority takes no order for there is no order to count.
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

/** What the authority delivers has to be what was ordered, as what is uploaded has to be. */
function checkIssued(deps: Deps, { id, hostname }: DomainRow, { chain, keyPem }: IssuedCertificate): IssuedCertificate {
  try {
    const checked = checkUpload({ certificatePem: chain, keyPem, hostname, now: deps.now() })
    return { chain: checked.chain, keyPem: checked.keyPem }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.logger.error(
      { domain: id, hostname, reason: error.message },
      'the certificate authority delivered what cannot be served'
    )
    const says = [{ code: 'NOT_SERVABLE' as const, values: { problem: error.message } }]
    throw new OrderFailedError({ kind: 'unavailable', says, closedAs: 'issued' })
  }
}

function orderRequest(deps: Deps, ordered: Ordered, signal: AbortSignal): AcmeOrderRequest {
  const { certificate, domain } = ordered
  const started = openOrderOf(certificate, deps.acme.directoryUrl)
  return {
    hostnames: [domain.hostname],
    challengeType: challengeTypeFor(domain.hostname),
    ...(started ? { resume: { orderUrl: started.orderUrl, keyPem: deps.secretBox.open(started.key) } } : {}),
    onOrder: (order) => keepOrder(deps, ordered, order),
    publish: (challenge) => publishChallenge(deps, domain.id, challenge),
    unpublish: (challenge) => unpublishChallenge(deps, domain.id, challenge),
    signal
  }
}

/** From here on a cut-off order goes on. One that it takes the place of is lost at the authority, which counts that one too. */
async function keepOrder(
  deps: Deps,
  { certificate, domain }: Ordered,
  { orderUrl, keyPem }: { orderUrl: string; keyPem: string }
): Promise<void> {
  const now = deps.now()
  const isKept = await deps.db.transaction(async (trx) => {
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
  if (!isKept) throw new Error('the certificate was removed or replaced meanwhile')
}
