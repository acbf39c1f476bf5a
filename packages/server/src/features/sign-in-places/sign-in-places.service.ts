import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'
import { notify } from '../notifications/notify-access.ts'
import { listSignIns } from '../sessions/live-sessions.service.ts'
import { agentFamily, isNewPlace } from './place.policy.ts'

type Deps = Pick<Dependencies, 'events' | 'jobs' | 'now'>

const rememberedMs = 90 * 24 * 3_600_000

/** Notifies the user of a sign-in from a place not used in the last 90 days. Call before the session is created. */
export async function noteSignIn(
  deps: Deps,
  trx: Transaction,
  user: { id: string; email: string },
  origin: AuditOrigin
): Promise<void> {
  const place = { ip: origin.ip ?? null, userAgent: origin.headers?.['user-agent'] ?? null }
  const before = await listSignIns(trx, user.id, new Date(deps.now().getTime() - rememberedMs))
  if (!isNewPlace(place, before)) return
  const agent = agentFamily(place.userAgent)
  await notify(deps, trx, {
    userId: user.id,
    kind: 'sign-in-from-new-place',
    subject: { type: 'account', id: user.id, name: user.email },
    text: [
      place.ip === null
        ? { code: 'SIGNED_IN_FROM_UNKNOWN', values: { agent } }
        : { code: 'SIGNED_IN', values: { address: place.ip, agent } },
      { code: 'IF_NOT_YOU' }
    ],
    link: '/account/security'
  })
}
