import { z } from 'zod'
import type { CertificateAlerts } from '@panel/contract/certificates'
import type { Dependencies } from '../../dependencies.ts'
import { notify } from '../notifications/notify-access.ts'
import { alertOf } from './alert.policy.ts'
import { claimAlert, listUnnotifiedExpiring } from './alerts.repository.ts'
import { alertMs, evaluateExpiry } from '../domains/certificate-expiry.policy.ts'
import { type CertificateOfOwner, findWithOwner } from './certificates.repository.ts'
import { evaluateAll, listAlertCandidates } from './expiry.repository.ts'

const maxAlerts = 1000
const reevaluateAfterMs = 60_000

export async function listAlerts(deps: Pick<Dependencies, 'db' | 'now'>, userId: string): Promise<CertificateAlerts> {
  const now = deps.now()
  await evaluateAll(deps.db, now, { userId, checkedBefore: new Date(now.getTime() - reevaluateAfterMs) })
  const { rows, count } = await listAlertCandidates(deps.db, userId, now, maxAlerts)
  const alerts = rows.flatMap(({ certificate, hostname }) => {
    const alert = alertOf(hostname, certificate, now)
    if (!alert) return []
    const { id: certificateId, domainId, status, validTo } = certificate
    return {
      domainId,
      hostname,
      certificateId,
      status: evaluateExpiry(status, validTo, now),
      validTo: validTo?.toISOString() ?? null,
      ...alert
    }
  })
  return { checkedAt: now.toISOString(), checked: count, alerts }
}

export const alertJob = z.object({ certificateId: z.string() })

const dayMs = 24 * 3600 * 1000
const failureRepeatMs = dayMs
const expiryRepeatMs = 7 * dayMs
/** Stop notifying this long after expiry. */
const expiredForMs = 14 * dayMs
const batch = 500

type Deps = Pick<Dependencies, 'db' | 'events' | 'jobs' | 'now'>

/** At most once a day per hostname, even if the certificate was deleted and ordered again. */
export async function notifyFailure(deps: Deps, certificateId: string): Promise<void> {
  const found = await findWithOwner(deps.db, certificateId)
  if (found && found.certificate.failures > 1) await notifyOwner(deps, found, 'certificate-failing', failureRepeatMs)
}

/** Notifies owners about near or past expiry once a week. Matters for uploaded certificates, which are not renewed. */
export async function notifyExpiring(deps: Deps): Promise<void> {
  const now = deps.now().getTime()
  const unnotified = await listUnnotifiedExpiring(deps.db, {
    until: new Date(now + alertMs),
    after: new Date(now - expiredForMs),
    notifiedBefore: new Date(now - expiryRepeatMs),
    limit: batch
  })
  for (const found of unnotified) await notifyOwner(deps, found, 'certificate-expiring', expiryRepeatMs)
}

async function notifyOwner(
  deps: Deps,
  { certificate, hostname, owner }: CertificateOfOwner,
  kind: 'certificate-failing' | 'certificate-expiring',
  repeatMs: number
): Promise<void> {
  const now = deps.now()
  const alert = alertOf(hostname, certificate, now)
  if (!alert) return
  await deps.db.transaction(async (trx) => {
    const isFirst = await claimAlert(trx, { userId: owner.id, hostname }, now, new Date(now.getTime() - repeatMs))
    if (!isFirst) return
    await notify(deps, trx, {
      userId: owner.id,
      kind,
      subject: { type: 'certificate', id: certificate.id, name: hostname },
      text: alert.sentences,
      link: `/domains/${certificate.domainId}/certificate`
    })
  })
}
