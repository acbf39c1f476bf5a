import { createHmac, randomBytes } from 'node:crypto'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Session, sessionLifetimeSeconds } from '../../http/session.ts'
import {
  extendSession,
  findLiveSession,
  insertSession,
  markOtherSessionsRevoked,
  markSessionRevoked
} from './sessions.repository.ts'

export { listSignInAddresses } from './sessions.repository.ts'

// The sliding expiry is written at most this often, so that a request is not a write.
const refreshAfterSeconds = 300
// How long the in-memory copy counts before its record is read again: what another process revoked ends by then.
const cacheTtlSeconds = 60

type Deps = Pick<Dependencies, 'config' | 'db' | 'sessions' | 'now'>

/** Where a session was started from. */
interface SessionOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
}

interface CachedSession {
  userId: string
  expiresAt: number
}

/**
 * Records a new session, in the transaction that let the person in, and returns its token, for the cookie. A token that the client brought is
 * never taken over.
 */
export async function createSession(
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Transaction,
  origin: SessionOrigin,
  userId: string
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = deps.now()
  await insertSession(trx, {
    idHash: sessionId(deps, token),
    userId,
    ip: origin.ip ?? null,
    userAgent: origin.headers?.['user-agent']?.slice(0, 500) ?? null,
    expiresAt: new Date(now.getTime() + sessionLifetimeSeconds * 1000),
    lastSeenAt: now,
    createdAt: now
  })
  return token
}

/** The session that a token opens, unless it is expired or revoked; `isExtended` says that its cookie is to be set anew. */
export async function openSession(
  deps: Deps,
  token: string
): Promise<{ session: Session; isExtended: boolean } | undefined> {
  const id = sessionId(deps, token)
  const found = (await getCached(deps, id)) ?? (await restore(deps, id))
  const now = deps.now().getTime()
  if (!found || found.expiresAt <= now) return undefined
  const isExtended = found.expiresAt - now < (sessionLifetimeSeconds - refreshAfterSeconds) * 1000
  if (isExtended && !(await extend(deps, id, found))) return undefined
  return { session: { id, userId: found.userId }, isExtended }
}

/** Ends the session that a token opens, if there is one: of a client that gets another. */
export async function endSessionOf(deps: Deps, token: string | undefined): Promise<void> {
  if (token === undefined) return
  const id = sessionId(deps, token)
  await markSessionRevoked(deps.db, id, deps.now())
  await evictSessions(deps, [id])
}

/** Revokes one session; with `userId`, only if it is theirs. Resolves with whether it was there. Call `evictSessions` after the commit. */
export async function revokeSession(
  deps: Pick<Deps, 'now'>,
  trx: Queryable,
  id: string,
  userId?: string
): Promise<boolean> {
  return markSessionRevoked(trx, id, deps.now(), userId)
}

/** Revokes the user's sessions but one, in the transaction that makes it necessary. Call `evictSessions` after the commit. */
export async function revokeOtherSessions(
  deps: Pick<Deps, 'now'>,
  trx: Transaction,
  userId: string,
  keepId?: string
): Promise<string[]> {
  return markOtherSessionsRevoked(trx, userId, deps.now(), keepId)
}

/** The in-memory half of `revokeSession` and `revokeOtherSessions`. */
export async function evictSessions(deps: Pick<Deps, 'sessions'>, ids: readonly string[]): Promise<void> {
  await deps.sessions.delete(...ids.map(cacheKey))
}

async function getCached(deps: Deps, id: string): Promise<CachedSession | undefined> {
  const text = await deps.sessions.get(cacheKey(id))
  return text === undefined ? undefined : (JSON.parse(text) as CachedSession)
}

/** A session that the in-memory store lost (a restart, an eviction) comes back from its record. */
async function restore(deps: Deps, id: string): Promise<CachedSession | undefined> {
  const row = await findLiveSession(deps.db, id, deps.now())
  if (!row) return undefined
  const session = { userId: row.userId, expiresAt: row.expiresAt.getTime() }
  return (await put(deps, id, session)) ? session : undefined
}

async function extend(deps: Deps, id: string, session: CachedSession): Promise<boolean> {
  const now = deps.now()
  const expiresAt = new Date(now.getTime() + sessionLifetimeSeconds * 1000)
  if (await extendSession(deps.db, id, { expiresAt, lastSeenAt: now }))
    return put(deps, id, { ...session, expiresAt: expiresAt.getTime() })
  await evictSessions(deps, [id])
  return false
}

/** Resolves with whether the session is live still: one that is revoked meanwhile must not come back into memory. */
async function put(deps: Deps, id: string, session: CachedSession): Promise<boolean> {
  const ttlSeconds = Math.ceil((session.expiresAt - deps.now().getTime()) / 1000)
  await deps.sessions.set(cacheKey(id), JSON.stringify(session), Math.max(1, Math.min(ttlSeconds, cacheTtlSeconds)))
  // Read after the write: a revocation commits before it deletes, so it is either seen here or deletes what was just written.
  if (await findLiveSession(deps.db, id, deps.now())) return true
  await evictSessions(deps, [id])
  return false
}

const cacheKey = (id: string) => `session:${id}`

/** An HMAC of the cookie's token, so that neither store opens a session to who reads it. */
const sessionId = (deps: Pick<Deps, 'config'>, token: string) =>
  createHmac('sha256', deps.config.SESSION_SECRET).update(token).digest('base64url')
