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

export {
  listAdministratorAddresses,
  listOpenSessions,
  listSignInAddresses,
  listSignIns
} from './sessions.repository.ts'

declare module '../../infra/event-bus/event-bus.ts' {
  interface ProcessEvents {
    /** A session or token ended, or the role changed. */
    'access:changed': { userId: string }
    'sign-in:failed': { address: string }
  }
}

// The sliding expiry is written at most this often, to avoid a write per request.
const refreshAfterSeconds = 300
// Cache lifetime, and so the maximum delay of a revocation by another process.
const cacheTtlSeconds = 60

type Deps = Pick<Dependencies, 'config' | 'db' | 'sessions' | 'now'>
type RevokingDeps = Pick<Dependencies, 'events' | 'now'>

interface SessionOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
}

/** Dates as JSON strings. */
type CachedSession = { [Member in keyof LiveSession]: string }

/**
 * Inserts a session in the transaction of the sign-in and returns its token for the cookie. Never reuses a token from
 * the client (session fixation).
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

/** Session of a token; undefined if expired or revoked. Use extends it, up to a maximum age. */
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

/** Ends the sessions of tokens from a client that gets a new one. */
export async function endSessionsByToken(deps: Deps & RevokingDeps, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return
  const ids = tokens.map((token) => sessionId(deps, token))
  await deps.db.transaction(async (trx) => {
    for (const id of ids) await revokeSession(deps, trx, id)
  })
  await evictSessions(deps, ids)
}

/** Marks the session as recently confirmed. Call `evictSessions` after the commit. */
export async function proveSession(deps: Pick<Deps, 'now'>, trx: Transaction, id: string): Promise<void> {
  await markSessionProved(trx, id, deps.now())
}

/** Revokes one session; with `userId`, only if it is theirs. Returns whether it existed. Call `evictSessions` after the commit. */
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

/** Notifies all processes of a wrong password or two-factor code. */
export async function signInFailed(
  { db, events }: Pick<Dependencies, 'db' | 'events'>,
  { ip }: SessionOrigin
): Promise<void> {
  if (ip !== undefined) await events.publish(db, { to: 'processes', name: 'sign-in:failed', data: { address: ip } })
}

/** Notifies all processes that a session ended or the role changed, so that live connections are rechecked. */
export async function accessChanged(
  { events }: Pick<RevokingDeps, 'events'>,
  trx: Transaction,
  userId: string
): Promise<void> {
  await events.publish(trx, { to: 'processes', name: 'access:changed', data: { userId } })
}

/** Revokes the user's sessions except one. Call `evictSessions` after the commit. */
export async function revokeOtherSessions(
  deps: RevokingDeps,
  trx: Transaction,
  userId: string,
  keepId?: string
): Promise<string[]> {
  // Also without sessions: API tokens may have ended.
  await accessChanged(deps, trx, userId)
  return markOtherSessionsRevoked(trx, userId, deps.now(), keepId)
}

/** Removes revoked sessions from the cache. */
export async function evictSessions(deps: Pick<Deps, 'sessions'>, ids: readonly string[]): Promise<void> {
  await deps.sessions.delete(...ids.map(cacheKey))
}

async function getCached(deps: Deps, id: string): Promise<LiveSession | undefined> {
  const text = await deps.sessions.get(cacheKey(id))
  if (text === undefined) return undefined
  const { userId, createdAt, expiresAt, lastSeenAt, provedAt } = JSON.parse(text) as Partial<CachedSession>
  // Written by an older version with other members: read it from the database.
  if (userId === undefined || provedAt === undefined) return undefined
  return {
    userId,
    createdAt: new Date(createdAt!),
    expiresAt: new Date(expiresAt!),
    lastSeenAt: new Date(lastSeenAt!),
    provedAt: new Date(provedAt)
  }
}

/** Reloads a session that the cache lost (restart, eviction) from the database. */
async function restore(deps: Deps, id: string): Promise<LiveSession | undefined> {
  const session = await findLiveSession(deps.db, id, deps.now())
  return session && (await put(deps, id, session)) ? session : undefined
}

/** Returns the new expiry; undefined if the session was revoked in the meantime. */
async function extend(deps: Deps, id: string, session: LiveSession): Promise<Date | undefined> {
  const now = deps.now()
  const lastAt = session.createdAt.getTime() + sessionMaxSeconds * 1000
  const expiresAt = new Date(Math.min(now.getTime() + sessionLifetimeSeconds * 1000, lastAt))
  if (await extendSession(deps.db, id, { expiresAt, lastSeenAt: now }))
    return (await put(deps, id, { ...session, expiresAt, lastSeenAt: now })) ? expiresAt : undefined
  await evictSessions(deps, [id])
  return undefined
}

/** Returns whether the session is still live: a revoked one must not return to the cache. */
async function put(deps: Deps, id: string, session: LiveSession): Promise<boolean> {
  const ttlSeconds = Math.ceil((session.expiresAt.getTime() - deps.now().getTime()) / 1000)
  await deps.sessions.set(cacheKey(id), JSON.stringify(session), Math.max(1, Math.min(ttlSeconds, cacheTtlSeconds)))
  // Read after the write: a revocation commits before it deletes, so it is either seen here or deletes this entry.
  if (await findLiveSession(deps.db, id, deps.now())) return true
  await evictSessions(deps, [id])
  return false
}

const cacheKey = (id: string) => `session:${id}`

/** HMAC of the cookie's token, so that a leak of the database or cache does not expose usable tokens. */
const sessionId = (deps: Pick<Deps, 'config'>, token: string) =>
  createHmac('sha256', deps.config.SESSION_SECRET).update(token).digest('base64url')
