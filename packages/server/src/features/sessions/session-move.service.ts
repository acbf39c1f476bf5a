import { createHash, randomBytes } from 'node:crypto'
import type { SessionMove } from '@panel/contract/sessions'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { createSession, evictSessions, revokeSession } from './live-sessions.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'now' | 'sessions'>

const lifetimeSeconds = 60

interface Move {
  sessionId: string
  userId: string
  provedAt: string
}

const keyOf = (token: string) => `session-move:${createHash('sha256').update(token).digest('hex')}`

/** A link that continues the session at https://PANEL_DOMAIN, where the browser has no cookie yet. */
export async function offerSessionMove({ config, sessions, now }: Deps, session: Session): Promise<SessionMove> {
  if (config.PANEL_DOMAIN === undefined)
    throw new AppError('CONFLICT', 'The panel has no domain yet. Set one in Settings → Domains and addresses.')
  const token = randomBytes(32).toString('base64url')
  const { id: sessionId, userId, provedAt = now() } = session
  const move: Move = { sessionId, userId, provedAt: provedAt.toISOString() }
  await sessions.set(keyOf(token), JSON.stringify(move), lifetimeSeconds)
  return { url: `https://${config.PANEL_DOMAIN}/continue#${token}` }
}

/** Replaces the session that created the link and returns the new token. Keeps the time of the last confirmation. */
export async function takeSession(deps: Deps, origin: AuditOrigin, token: string): Promise<string> {
  const text = await deps.sessions.take(keyOf(token))
  if (text === undefined) throw linkInvalid()
  const { sessionId, userId, provedAt } = JSON.parse(text) as Move
  const sessionToken = await deps.db.transaction(async (trx) => {
    if (!(await revokeSession(deps, trx, sessionId, userId))) throw linkInvalid()
    await recordAudit(deps, trx, origin, { action: 'session.moved', actorId: userId, targetId: userId })
    return createSession(deps, trx, origin, userId, new Date(provedAt))
  })
  await evictSessions(deps, [sessionId])
  return sessionToken
}

const linkInvalid = () => new AppError('LINK_INVALID', 'This link was used already or has expired. Sign in.')
