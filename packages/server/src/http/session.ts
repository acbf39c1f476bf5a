import type { TokenScope } from '@panel/contract/api-tokens'
import { createHmac, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import type { Queryable } from '../db/database.ts'
import { sessions as sessionRows } from '../db/schema/sessions.ts'
import { users } from '../db/schema/users.ts'

export const sessionCookie = 'panel_session'

const lifetimeSeconds = 7 * 24 * 3600
// The sliding expiry is written at most this often, so that a request is not a write.
const refreshAfterSeconds = 300
// How long the in-memory copy is believed before its record is read again: what another process revoked ends by then.
const believedSeconds = 60

type Deps = Pick<Dependencies, 'config' | 'db' | 'sessions' | 'now'>

export type SessionRow = typeof sessionRows.$inferSelect

/** Where a session was started from. */
export interface SessionOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
}

/** A session as requests see it. */
export interface Session {
  /** What the stores know it by: an HMAC of the cookie's token, so that neither store opens a session to who reads it. */
  id: string
  userId: string
  /** Of a caller by API token. */
  scope?: TokenScope
}

interface StoredSession {
  userId: string
  expiresAt: number
}

/**
 * Records a new session, in the transaction that let the person in, and returns its token. A token that the client brought is never
 * taken over. Call `sendSession` after the commit.
 */
export async function createSession(
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Queryable,
  origin: SessionOrigin,
  userId: string
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = deps.now()
  await trx.insert(sessionRows).values({
    idHash: sessionId(deps, token),
    userId,
    ip: origin.ip ?? null,
    userAgent: origin.headers?.['user-agent']?.slice(0, 500) ?? null,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
    lastSeenAt: now,
    createdAt: now
  })
  return token
}

/** Sets the cookie of a session that `createSession` recorded, and ends the one that the client had. */
export async function sendSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string
): Promise<void> {
  const former = tokenOf(request)
  if (former !== undefined) {
    const id = sessionId(deps, former)
    await revokeSession(deps, deps.db, id)
    await forgetSessions(deps, [id])
  }
  setCookie(deps, request, reply, token)
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(sessionCookie, { path: '/' })
}

/** Revokes one session; with `userId`, only if it is theirs. Resolves with whether it was there. Call `forgetSessions` after the commit. */
export async function revokeSession(
  deps: Pick<Deps, 'now'>,
  trx: Queryable,
  id: string,
  userId?: string
): Promise<boolean> {
  const live = and(
    eq(sessionRows.idHash, id),
    isNull(sessionRows.revokedAt),
    gt(sessionRows.expiresAt, deps.now()),
    userId === undefined ? undefined : eq(sessionRows.userId, userId)
  )
  const rows = await trx
    .update(sessionRows)
    .set({ revokedAt: deps.now() })
    .where(live)
    .returning({ id: sessionRows.idHash })
  return rows.length > 0
}

/** The user's live sessions, the last used first. */
export async function listSessions(deps: Pick<Deps, 'db' | 'now'>, userId: string): Promise<SessionRow[]> {
  return deps.db
    .select()
    .from(sessionRows)
    .where(and(eq(sessionRows.userId, userId), isNull(sessionRows.revokedAt), gt(sessionRows.expiresAt, deps.now())))
    .orderBy(desc(sessionRows.lastSeenAt), desc(sessionRows.createdAt))
}

/** Revokes the user's sessions but one, in the transaction that makes it necessary. Call `forgetSessions` after the commit. */
export async function revokeOtherSessions(
  deps: Pick<Deps, 'now'>,
  trx: Queryable,
  userId: string,
  keepId?: string
): Promise<string[]> {
  const others = and(
    eq(sessionRows.userId, userId),
    isNull(sessionRows.revokedAt),
    keepId === undefined ? undefined : ne(sessionRows.idHash, keepId)
  )
  const rows = await trx
    .update(sessionRows)
    .set({ revokedAt: deps.now() })
    .where(others)
    .returning({ id: sessionRows.idHash })
  return rows.map((row) => row.id)
}

/** The in-memory half of `revokeOtherSessions`. */
export async function forgetSessions(deps: Pick<Deps, 'sessions'>, ids: readonly string[]): Promise<void> {
  await deps.sessions.delete(...ids.map(storeKey))
}

/** The session of the request's cookie; undefined when there is none, or it is expired or revoked. */
export async function resolveSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<Session | undefined> {
  const token = tokenOf(request)
  if (token === undefined) return undefined
  const id = sessionId(deps, token)
  const found = (await recall(deps, id)) ?? (await restore(deps, id))
  const now = deps.now().getTime()
  if (!found || found.expiresAt <= now) return undefined
  if (found.expiresAt - now < (lifetimeSeconds - refreshAfterSeconds) * 1000) {
    const renewed = await extend(deps, id, found)
    if (!renewed) return undefined
    setCookie(deps, request, reply, token)
  }
  return { id, userId: found.userId }
}

async function recall(deps: Deps, id: string): Promise<StoredSession | undefined> {
  const text = await deps.sessions.get(storeKey(id))
  return text === undefined ? undefined : (JSON.parse(text) as StoredSession)
}

/** A session that the in-memory store lost (a restart, an eviction) comes back from its record. */
async function restore(deps: Deps, id: string): Promise<StoredSession | undefined> {
  const session = await findLive(deps, id)
  return session && (await remember(deps, id, session)) ? session : undefined
}

/** By its record; the session of a suspended or deleted account is none. */
async function findLive(deps: Pick<Deps, 'db' | 'now'>, id: string): Promise<StoredSession | undefined> {
  const [row] = await deps.db
    .select({ userId: sessionRows.userId, expiresAt: sessionRows.expiresAt })
    .from(sessionRows)
    .innerJoin(users, eq(users.id, sessionRows.userId))
    .where(
      and(
        eq(sessionRows.idHash, id),
        isNull(sessionRows.revokedAt),
        gt(sessionRows.expiresAt, deps.now()),
        isNull(users.suspendedAt),
        isNull(users.deletedAt)
      )
    )
  return row && { userId: row.userId, expiresAt: row.expiresAt.getTime() }
}

async function extend(deps: Deps, id: string, session: StoredSession): Promise<boolean> {
  const now = deps.now()
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
  const rows = await deps.db
    .update(sessionRows)
    .set({ expiresAt, lastSeenAt: now })
    .where(and(eq(sessionRows.idHash, id), isNull(sessionRows.revokedAt)))
    .returning({ id: sessionRows.idHash })
  if (rows.length === 0) {
    await deps.sessions.delete(storeKey(id))
    return false
  }
  return remember(deps, id, { ...session, expiresAt: expiresAt.getTime() })
}

/** Resolves with whether the session is live still: one that is revoked meanwhile must not come back into memory. */
async function remember(deps: Deps, id: string, session: StoredSession): Promise<boolean> {
  const ttlSeconds = Math.ceil((session.expiresAt - deps.now().getTime()) / 1000)
  await deps.sessions.set(storeKey(id), JSON.stringify(session), Math.max(1, Math.min(ttlSeconds, believedSeconds)))
  // Read after the write: a revocation commits before it deletes, so it is either seen here or deletes what was just written.
  if (await findLive(deps, id)) return true
  await forgetSessions(deps, [id])
  return false
}

const storeKey = (id: string) => `session:${id}`

const sessionId = (deps: Pick<Deps, 'config'>, token: string) =>
  createHmac('sha256', deps.config.SESSION_SECRET).update(token).digest('base64url')

/** None also when the cookie comes twice: a site below the panel's domain can plant one beside ours, and no one could tell which is which. */
function tokenOf(request: FastifyRequest): string | undefined {
  const named = (request.headers.cookie ?? '').split(';').filter((pair) => pair.trim().startsWith(`${sessionCookie}=`))
  if (named.length > 1) return undefined
  const token = request.cookies[sessionCookie]
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined
}

/** Whether cookies are for https alone. */
export const areCookiesSecure = ({ config }: Pick<Deps, 'config'>, request: FastifyRequest): boolean =>
  ({
    true: true,
    false: false,
    auto: request.protocol === 'https' || config.API_BASE_URL.startsWith('https:')
  })[config.COOKIE_SECURE]

function setCookie(deps: Pick<Deps, 'config'>, request: FastifyRequest, reply: FastifyReply, token: string): void {
  void reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: areCookiesSecure(deps, request),
    maxAge: lifetimeSeconds
  })
}
