import { pagination } from '@panel/contract/common'
import type { SessionList, SessionQuery, SessionView } from '@panel/contract/sessions'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'
import { evictSessions, revokeOtherSessions, revokeSession } from './live-sessions.service.ts'
import { hasAccount, hasLiveSession, listLiveSessions, type SessionRow } from './sessions.repository.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'now' | 'sessions'>

export async function listOwnSessions(
  deps: Pick<Deps, 'db' | 'now'>,
  session: Session,
  query: SessionQuery
): Promise<SessionList> {
  const { rows, total } = await listLiveSessions(deps.db, session.userId, deps.now(), query)
  return {
    sessions: rows.map((row) => sessionView(row, session.id)),
    pagination: pagination(query.page, query.limit, total)
  }
}

/** Throws if the session does not exist or belongs to another user. */
export async function requireOwnSession(
  deps: Pick<Deps, 'db' | 'now'>,
  userId: string,
  { id }: Readonly<Record<string, string>>
): Promise<void> {
  if (!(await hasLiveSession(deps.db, userId, id!, deps.now()))) throw noSuchSession()
}

/** Ends one of the user's sessions, which may be the current one. */
export async function endOwnSession(deps: Deps, origin: AuditOrigin, session: Session, id: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    if (!(await revokeSession(deps, trx, id, session.userId))) {
      throw noSuchSession()
    }
    await recordAudit(deps, trx, origin, revoked(session.userId, session.userId, 1))
  })
  await evictSessions(deps, [id])
}

/** Ends the user's other sessions and returns their number. */
export async function endOtherSessions(deps: Deps, origin: AuditOrigin, session: Session): Promise<number> {
  return endSessions(deps, origin, { actorId: session.userId, userId: session.userId, keepId: session.id })
}

/** Ends all sessions of a user, as an ADMIN, and returns their number. */
export async function endSessionsOf(deps: Deps, origin: AuditOrigin, adminId: string, userId: string): Promise<number> {
  if (!(await hasAccount(deps.db, userId))) throw new AppError('NOT_FOUND', 'Account not found')
  return endSessions(deps, origin, { actorId: adminId, userId })
}

async function endSessions(
  deps: Deps,
  origin: AuditOrigin,
  { actorId, userId, keepId }: { actorId: string; userId: string; keepId?: string }
): Promise<number> {
  const ended = await deps.db.transaction(async (trx) => {
    const ids = await revokeOtherSessions(deps, trx, userId, keepId)
    if (ids.length > 0) await recordAudit(deps, trx, origin, revoked(actorId, userId, ids.length))
    return ids
  })
  await evictSessions(deps, ended)
  return ended.length
}

const noSuchSession = () => new AppError('NOT_FOUND', 'Session not found')

const revoked = (actorId: string, targetId: string, count: number) =>
  ({ action: 'session.revoked', actorId, targetId, metadata: { count } }) as const

const sessionView = (row: SessionRow, currentId: string): SessionView => ({
  id: row.idHash,
  current: row.idHash === currentId,
  ip: row.ip,
  userAgent: row.userAgent,
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  expiresAt: row.expiresAt.toISOString()
})
