import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { sentenceText } from '@panel/contract/sentences'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { Origin } from '../audit/origin.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type Certificate, CertificateType } from '@panel/contract/certificates'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, type NewAuditEntry, recordAudit } from '../audit/recording.service.ts'
import { type DomainRow, lockOwnDomain } from '../domains/domain-access.ts'
import { type CertificateContent, contentValues } from './certificate-content.service.ts'
import { challengeTypeFor } from './certificate-type.policy.ts'
import { certificateView } from './certificate-view.ts'
import {
  type CertificateRow,
  insertCertificate,
  lockCertificateOf,
  moveCertificate
} from './certificates.repository.ts'
import { requireCertifiable } from './certified-host.service.ts'
import { closeOrder } from './orders.repository.ts'
import { findBudgetWait, openOrderOf, ownerOf, queueOrder } from './orders.service.ts'
import { tryApplyCertificate } from './served-certificates.service.ts'

export type ChangeDeps = Pick<
  Dependencies,
  'acme' | 'config' | 'db' | 'instanceId' | 'jobs' | 'logger' | 'network' | 'now' | 'proxy' | 'secretBox'
>
type Deps = ChangeDeps

/** The caller has checked ownership; lockOwnDomain checks it again under the lock. */
const DomainKey = z.object({ id: Id, userId: Id })
const Content = z.object({ type: CertificateType, chain: z.string(), keyPem: z.string() })
type DomainKey = Pick<DomainRow, 'id' | 'userId'>

export const requestOrder = workerVerb('certificates.order', [Origin, DomainKey], requestOrderHere)

async function requestOrderHere(deps: Deps, origin: AuditOrigin, { id, userId }: DomainKey): Promise<Certificate> {
  const row = await deps.db.transaction(async (trx) => {
    const domain = await lockOwnDomain(trx, id, userId)
    await requireCertifiable(trx, domain)
    requireValidatable(domain)
    const before = (await lockCertificateOf(trx, id)) ?? (await insertRequested(deps, trx, domain))
    const queued = await queueOrder(deps, trx, before, userId)
    if (!queued)
      throw new AppError('CERTIFICATE_PENDING', `A certificate for ${domain.hostname} is already being issued`)
    await requireBudget(deps, trx, domain, before)
    await recordChange(deps, trx, origin, domain, {
      action: 'certificate.requested',
      metadata: { type: 'LETS_ENCRYPT' }
    })
    return queued
  })
  return certificateView(row, deps.now())
}

const insertRequested = (deps: Pick<Deps, 'now'>, trx: Transaction, domain: DomainRow) =>
  insertCertificate(trx, { ...newRow(deps, domain), status: 'ERROR', sans: [domain.hostname] })

export const putContent = workerVerb('certificates.put', [Origin, DomainKey, Content], putContentHere)

async function putContentHere(
  deps: Deps,
  origin: AuditOrigin,
  { id, userId }: DomainKey,
  content: CertificateContent
): Promise<Certificate> {
  const { domain, row } = await deps.db.transaction(async (trx) => {
    const domain = await lockOwnDomain(trx, id, userId)
    await requireCertifiable(trx, domain)
    const before = await lockCertificateOf(trx, id)
    if (before) await cancelOrder(trx, before)
    const fresh = newRow(deps, domain)
    const { status, values } = contentValues(deps, before ?? { ...fresh, autoRenew: true }, content)
    const row = before
      ? (await moveCertificate(trx, before.id, status, values, deps.now()))!
      : await insertCertificate(trx, { ...fresh, ...values, status })
    const action = content.type === 'CUSTOM' ? 'certificate.uploaded' : 'certificate.requested'
    await recordChange(deps, trx, origin, domain, {
      action,
      metadata: { type: row.type, fingerprint: row.fingerprint }
    })
    return { domain, row }
  })
  await tryApplyCertificate(deps, { id: row.id, hostname: domain.hostname })
  return certificateView(row, deps.now())
}

const newRow = (deps: Pick<Deps, 'now'>, domain: DomainRow) => {
  const now = deps.now()
  return { id: newId(now.getTime()), domainId: domain.id, commonName: domain.hostname, createdAt: now, updatedAt: now }
}

export async function cancelOrder(trx: Transaction, { pendingOrder }: CertificateRow): Promise<void> {
  if (pendingOrder) await closeOrder(trx, pendingOrder.orderUrl, 'failed')
}

function requireValidatable({ hostname, dnsMode, zoneId }: DomainRow): void {
  if (challengeTypeFor(hostname) === 'http-01' || (dnsMode === 'MANAGED' && zoneId !== null)) return
  throw new AppError(
    'DNS_NOT_MANAGED',
    `A wildcard certificate needs DNS validation. Switch ${hostname.slice(2)} and ${hostname} to managed DNS, or upload a certificate.`
  )
}

async function requireBudget(
  deps: Pick<Deps, 'acme' | 'now'>,
  trx: Transaction,
  domain: DomainRow,
  row: CertificateRow
): Promise<void> {
  if (openOrderOf(row, deps.acme.directoryUrl)) return // resumes an order that is already counted
  const now = deps.now()
  const wait = await findBudgetWait(trx, ownerOf(domain, row, now), now)
  if (!wait) return
  const { reason, retryAfterSeconds } = wait
  const message = sentenceText(certificateProblemTexts, reason)
  throw new AppError('RATE_LIMITED', `${message}. Try again later.`, { retryAfterSeconds })
}

export async function recordChange(
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  { id, userId, hostname }: DomainRow,
  { action, metadata }: Pick<NewAuditEntry, 'action' | 'metadata'>
): Promise<void> {
  const entry = { action, actorId: userId, targetId: id, metadata: { hostname, ...metadata } }
  await recordAudit(deps, trx, origin, entry)
}
