import { z } from 'zod'
import type { CertificateAlerts } from '@panel/contract/certificates'
import type { Dependencies } from '../../dependencies.ts'
import { renderAlertMail } from './alert-mail.render.ts'
import { alertOf } from './alert.policy.ts'
import { evaluateExpiry } from './certificate.machine.ts'
import { claimAlertMail, releaseAlertMail } from './alerts.repository.ts'
import { findWithOwner } from './certificates.repository.ts'
import { evaluateAll, listAlertCandidates } from './expiry.repository.ts'

const maxAlerts = 1000
const evaluatedAgainAfterMs = 60_000

/** Evaluates the states of the account's certificates and says which of them need somebody, the nearest end first. */
export async function listAlerts(deps: Pick<Dependencies, 'db' | 'now'>, userId: string): Promise<CertificateAlerts> {
  const now = deps.now()
  await evaluateAll(deps.db, now, { userId, checkedBefore: new Date(now.getTime() - evaluatedAgainAfterMs) })
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

const mailAgainAfterMs = 24 * 3600 * 1000

/**
 * The job behind a certificate that failed twice. One that has worked again by now is nothing to write about. An account hears of a name
 * once a day, also when it was removed and ordered again in between.
 */
export async function mailAlert(
  deps: Pick<Dependencies, 'config' | 'db' | 'mailer' | 'now'>,
  certificateId: string
): Promise<void> {
  const found = await findWithOwner(deps.db, certificateId)
  if (!found || !deps.mailer) return
  const { certificate, hostname, owner } = found
  const now = deps.now()
  const alert = certificate.failures > 1 ? alertOf(hostname, certificate, now) : undefined
  if (!alert) return
  const recipient = { userId: owner.id, hostname }
  if (!(await claimAlertMail(deps.db, recipient, now, new Date(now.getTime() - mailAgainAfterMs)))) return
  try {
    await deps.mailer.send(renderAlertMail(deps.config, owner, { hostname, message: alert.message }))
  } catch (error) {
    await releaseAlertMail(deps.db, recipient) // The job is tried again.
    throw error
  }
}
