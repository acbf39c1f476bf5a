import { createHmac, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, ne } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import type { Queryable } from '../db/database.ts'
import { AppError, messageOf } from '../errors.ts'
import { sessions as sessionRows } from '../db/schema.ts'

export const sessionCookie = 'panel_session'

const lifetimeSeconds = 7 * 24 * 3600
// The sliding expiry is written at most this often, so that a request is not a write.
const refreshAfterSeconds = 3600
// What the in-memory store says is believed for this long, then its record is asked again: a revocation that it missed ends there.
const believedSeconds = 60

type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'now' | 'sessions'>

/** A session as requests see it. */
export interface Session {
  /** What the stores know it by: an HMAC of the cookie's token, so that neither store opens a session to who reads it. */
  id: string
  userId: string
}

interface StoredSession {
  userId: string
  expiresAt: number
}

/** Starts a session under a new token and sets the cookie. A token that the client brought is never taken over. */
export async function startSession(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string
): Promise<void> {
  await endSession(deps, request, reply).catch((error: unknown) => {
    // The former session is revoked; that the in-memory store is away must not keep anybody out.
    if (!(error instanceof AppError)) throw error
    deps.logger.warn({ error: messageOf(error.cause) }, 'session store does not answer')
  })
  const token = randomBytes(32).toString('base64url')
  const id = sessionId(deps, token)
  const expiresAt = new Date(deps.now().getTime() + lifetimeSeconds * 1000)
  const userAgent = request.headers['user-agent']?.slice(0, 500) ?? null
  await deps.db.insert(sessionRows).values({ idHash: id, userId, ip: request.ip, userAgent, expiresAt })
  await remember(deps, id, { userId, expiresAt: expiresAt.getTime() })
  setCookie(deps, request, reply, token)
}

/** Ends the caller's session in both stores and clears the cookie. */
export async function endSession(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const token = tokenOf(request)
  if (token === undefined) return
  const id = sessionId(deps, token)
  await deps.db.update(sessionRows).set({ revokedAt: deps.now() }).where(eq(sessionRows.idHash, id))
  await forgetSessions(deps, [id])
  void reply.clearCookie(sessionCookie, { path: '/' })
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

/** The in-memory half of `revokeOtherSessions`. Not done while that store is away, which the caller must hear: it would know them again. */
export async function forgetSessions(deps: Pick<Deps, 'sessions'>, ids: readonly string[]): Promise<void> {
  try {
    await deps.sessions.delete(...ids.map(storeKey))
  } catch (cause) {
    throw new AppError('STORE_UNAVAILABLE', 'The session store cannot be reached just now; try again', { cause })
  }
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

/** Undefined also while the in-memory store is away: its records stand in for it. */
async function recall(deps: Deps, id: string): Promise<StoredSession | undefined> {
  try {
    const text = await deps.sessions.get(storeKey(id))
    return text === undefined ? undefined : (JSON.parse(text) as StoredSession)
  } catch (error) {
    deps.logger.warn({ error: messageOf(error) }, 'session store does not answer')
    return undefined
  }
}

/** A session that the in-memory store lost (a restart, an eviction) comes back from its record. */
async function restore(deps: Deps, id: string): Promise<StoredSession | undefined> {
  const live = and(eq(sessionRows.idHash, id), isNull(sessionRows.revokedAt), gt(sessionRows.expiresAt, deps.now()))
  const [row] = await deps.db
    .select({ userId: sessionRows.userId, expiresAt: sessionRows.expiresAt })
    .from(sessionRows)
    .where(live)
  if (!row) return undefined
  const session = { userId: row.userId, expiresAt: row.expiresAt.getTime() }
  await remember(deps, id, session)
  return session
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
  await remember(deps, id, { ...session, expiresAt: expiresAt.getTime() })
  return true
}

async function remember(deps: Deps, id: string, session: StoredSession): Promise<void> {
  const leftSeconds = Math.ceil((session.expiresAt - deps.now().getTime()) / 1000)
  const ttlSeconds = Math.max(1, Math.min(believedSeconds, leftSeconds))
  try {
    await deps.sessions.set(storeKey(id), JSON.stringify(session), ttlSeconds)
  } catch (error) {
    deps.logger.warn({ error: messageOf(error) }, 'session store does not answer')
  }
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

function setCookie(deps: Pick<Deps, 'config'>, request: FastifyRequest, reply: FastifyReply, token: string): void {
  const isSecure = {
    true: true,
    false: false,
    auto: request.protocol === 'https' || deps.config.API_BASE_URL.startsWith('https:')
  }[deps.config.COOKIE_SECURE]
  void reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: lifetimeSeconds
  })
}
