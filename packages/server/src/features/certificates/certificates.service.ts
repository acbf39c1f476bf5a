import type { Certificate, CertificateSettings, UploadCertificate } from '@panel/contract/certificates'
import { AppError } from '../../errors.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'
import { type DomainRow, getOwnDomain, lockOwnDomain, requireActive } from '../domains/domain-access.ts'
import {
  type ChangeDeps as Deps,
  cancelOrder,
  putContent,
  recordChange,
  requestOrder
} from './certificate-changes.service.ts'
import { makeSelfSigned } from './certificate-content.service.ts'
import { certificateTypeFor } from './certificate-type.policy.ts'
import { certificateView } from './certificate-view.ts'
import {
  type CertificateRow,
  deleteCertificate,
  findCertificateOf,
  lockCertificateOf,
  updateCertificate
} from './certificates.repository.ts'
import { renewAt } from './renewal.policy.ts'
import { tryApplyCertificate } from './served-certificates.service.ts'
import { checkUpload } from './upload.policy.ts'

export async function getCertificate(
  deps: Pick<Deps, 'db' | 'now'>,
  userId: string,
  domainId: string
): Promise<Certificate> {
  const domain = await getOwnDomain(deps.db, domainId, userId)
  return certificateView(requireCertificate(await findCertificateOf(deps.db, domainId), domain), deps.now())
}

/** Self-signed if no CA can issue it. The current certificate stays until the new one is issued. */
export async function provisionCertificate(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<Certificate> {
  const domain = requireActive(await getOwnDomain(deps.db, domainId, userId))
  const type = certificateTypeFor(domain.hostname, deps.config)
  if (type === 'SELF_SIGNED') return putContent(deps, origin, domain, await makeSelfSigned(deps, domain.hostname))
  return requestOrder(deps, origin, domain)
}

export async function renewCertificate(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<Certificate> {
  const domain = await getOwnDomain(deps.db, domainId, userId)
  const { type } = requireCertificate(await findCertificateOf(deps.db, domainId), domain)
  if (type === 'CUSTOM')
    throw new AppError(
      'CERTIFICATE_NOT_RENEWABLE',
      'Uploaded certificates cannot be renewed here. Upload a new one, or provision one.'
    )
  if (type === 'SELF_SIGNED') return putContent(deps, origin, domain, await makeSelfSigned(deps, domain.hostname))
  return requestOrder(deps, origin, domain)
}

export async function uploadCertificate(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  input: UploadCertificate
): Promise<Certificate> {
  const domain = requireActive(await getOwnDomain(deps.db, domainId, userId))
  const { chain, keyPem } = checkUpload({
    certificatePem: input.certificate,
    keyPem: input.privateKey,
    hostname: domain.hostname,
    now: deps.now()
  })
  return putContent(deps, origin, domain, { type: 'CUSTOM', chain, keyPem })
}

export async function changeSettings(
  deps: Deps,
  userId: string,
  domainId: string,
  settings: CertificateSettings
): Promise<Certificate> {
  const { domain, row } = await deps.db.transaction(async (trx) => {
    const domain = await lockOwnDomain(trx, domainId, userId)
    const before = requireCertificate(await lockCertificateOf(trx, domainId), domain)
    const { forceHttps, autoRenew } = settings
    const values = {
      ...(forceHttps === undefined ? {} : { forceHttps }),
      ...(autoRenew === undefined ? {} : { autoRenew, renewAt: autoRenew ? plannedRenewal(before) : null })
    }
    return { domain, row: await updateCertificate(trx, before.id, values, deps.now()) }
  })
  await tryApplyCertificate(deps, { id: row.id, hostname: domain.hostname })
  return certificateView(row, deps.now())
}

export async function removeCertificate(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<string> {
  const { id, hostname } = await deps.db.transaction(async (trx) => {
    const domain = await lockOwnDomain(trx, domainId, userId)
    const row = requireCertificate(await lockCertificateOf(trx, domainId), domain)
    await cancelOrder(trx, row)
    await deleteCertificate(trx, row.id)
    await recordChange(deps, trx, origin, domain, { action: 'certificate.removed', metadata: { type: row.type } })
    return { id: row.id, hostname: domain.hostname }
  })
  await tryApplyCertificate(deps, { id, hostname, isGone: true })
  return hostname
}

function plannedRenewal({ id, type, status, validFrom, validTo, renewAt: planned }: CertificateRow): Date | null {
  if (planned !== null || status === 'PENDING' || type === 'CUSTOM' || !validFrom || !validTo) return planned
  return renewAt({ id, validFrom, validTo })
}

function requireCertificate(row: CertificateRow | undefined, { hostname }: DomainRow): CertificateRow {
  if (!row) throw new AppError('NOT_FOUND', `${hostname} has no certificate`)
  return row
}
