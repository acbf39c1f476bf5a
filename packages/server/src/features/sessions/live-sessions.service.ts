import { createHmac, randomBytes } from 'node:crypto'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { OpenedSession } from '../../http/access.ts'
import { sessionLifetimeSeconds, sessionMaxSeconds } from '../../http/session.ts'
import {
  extendSession,
  findLiveSession,
  insertSession,
  type LiveSession,
  markOtherSessionsRevoked,
  markSessionProved,
  markSessionRevoked
} from './sessions.repository.ts'

export { listOpenSessions, listSignInAddresses, listSignIns } from './sessions.repository.ts'

declare module '../../infra/event-bus/event-bus.ts' {
  interface ProcessEvents {
    /** A way in to the account has ended, or opens another than before. */
    'access:changed': { userId: string }
  }
}

// The sliding expiry is written at most this often, so that a request is not a write.
const refreshAfterSeconds = 300
// How long the in-memory copy counts before its record is read again: what another process revoked ends by then.
const cacheTtlSeconds = 60

type Deps = Pick<Dependencies, 'config' | 'db' | 'sessions' | 'now'>
type RevokingDeps = Pick<Dependencies, 'events' | 'now'>

/** Where a session was started from. */
interface SessionOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
}

/** Times as JSON has them. */
type CachedSession = { [Member in keyof LiveSession]: string }

/**
 * Records a new session, in the transaction that let the person in, and returns its token, for the cookie. A token that the client brought is
 * never taken over.
 */
export async function createSession(
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Transaction,
  origin: SessionOrigin,
  userId: string,
  provedAt?: Date
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
    provedAt: provedAt ?? now,
    createdAt: now
  })
  return token
}

/** The session that a token opens, unless it is expired or revoked. It slides with its use, up to an age. */
export async function openSession(deps: Deps, token: string): Promise<OpenedSession | undefined> {
  const id = sessionId(deps, token)
  const found = (await getCached(deps, id)) ?? (await restore(deps, id))
  const now = deps.now()
  if (!found || found.expiresAt <= now) return undefined
  const session = { id, userId: found.userId, provedAt: found.provedAt }
  if (now.getTime() - found.lastSeenAt.getTime() <= refreshAfterSeconds * 1000) return { session }
  const expiresAt = await extend(deps, id, found)
  return expiresAt && { session, extendedSeconds: Math.floor((expiresAt.getTime() - now.getTime()) / 1000) }
}

/** Ends the sessions that tokens open, if there are any: of a client that gets another. */
export async function endSessionsByToken(deps: Deps & RevokingDeps, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return
  const ids = tokens.map((token) => sessionId(deps, token))
  await deps.db.transaction(async (trx) => {
    for (const id of ids) await revokeSession(deps, trx, id)
  })
  await evictSessions(deps, ids)
}

/** The session counts as just proved. Call `evictSessions` after the commit. */
export async function proveSession(deps: Pick<Deps, 'now'>, trx: Transaction, id: string): Promise<void> {
  await markSessionProved(trx, id, deps.now())
}

/** Revokes one session; with `userId`, only if it is theirs. Resolves with whether it was there. Call `evictSessions` after the commit. */
export async function revokeSession(
  deps: RevokingDeps,
  trx: Transaction,
  id: string,
  userId?: string
): Promise<boolean> {
  const owner = await markSessionRevoked(trx, id, deps.now(), userId)
  if (owner === undefined) return false
  await accessChanged(deps, trx, owner)
  return true
}

/** Tells all processes that a way in to the account has ended, or its role is another: whoever is connected is judged anew. */
export async function accessChanged(
  { events }: Pick<RevokingDeps, 'events'>,
  trx: Transaction,
  userId: string
): Promise<void> {
  await events.publish(trx, { to: 'processes', name: 'access:changed', data: { userId } })
}

/** Revokes the user's sessions but one, in the transaction that makes it necessary. Call `evictSessions` after the commit. */
export async function revokeOtherSessions(
  deps: RevokingDeps,
  trx: Transaction,
  userId: string,
  keepId?: string
): Promise<string[]> {
  // Also where there was none: what else let the account in has ended with them.
  await accessChanged(deps, trx, userId)
  return markOtherSessionsRevoked(trx, userId, deps.now(), keepId)
}

/** The in-memory half of `revokeSession` and `revokeOtherSessions`. */
export async function evictSessions(deps: Pick<Deps, 'sessions'>, ids: readonly string[]): Promise<void> {
  await deps.sessions.delete(...ids.map(cacheKey))
}

async function getCached(deps: Deps, id: string): Promise<LiveSession | undefined> {
  const text = await deps.sessions.get(cacheKey(id))
  if (text === undefined) return undefined
  const { userId, createdAt, expiresAt, lastSeenAt, provedAt } = JSON.parse(text) as Partial<CachedSession>
  // A version before this one has put other members there; the record has them all.
  if (userId === undefined || provedAt === undefined) return undefined
  return {
    userId,
    createdAt: new Date(createdAt!),
    expiresAt: new Date(expiresAt!),
    lastSeenAt: new Date(lastSeenAt!),
    provedAt: new Date(provedAt)
  }
}

/** A session that the in-memory store lost (a restart, an eviction) comes back from its record. */
async function restore(deps: Deps, id: string): Promise<LiveSession | undefined> {
  const session = await findLiveSession(deps.db, id, deps.now())
  return session && (await put(deps, id, session)) ? session : undefined
}

/** Resolves with its new end; undefined when it was revoked meanwhile. */
async function extend(deps: Deps, id: string, session: LiveSession): Promise<Date | undefined> {
  const now = deps.now()
  const lastAt = session.createdAt.getTime() + sessionMaxSeconds * 1000
  const expiresAt = new Date(Math.min(now.getTime() + sessionLifetimeSeconds * 1000, lastAt))
  if (await extendSession(deps.db, id, { expiresAt, lastSeenAt: now }))
    return (await put(deps, id, { ...session, expiresAt, lastSeenAt: now })) ? expiresAt : undefined
  await evictSessions(deps, [id])
  return undefined
}

/** Resolves with whether the session is live still: one that is revoked meanwhile must not come back into memory. */
async function put(deps: Deps, id: string, session: LiveSession): Promise<boolean> {
  const ttlSeconds = Math.ceil((session.expiresAt.getTime() - deps.now().getTime()) / 1000)
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
