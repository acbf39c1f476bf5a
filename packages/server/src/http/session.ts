import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenScope } from '@panel/contract/api-tokens'
import type { Dependencies } from '../dependencies.ts'

export const sessionCookie = 'panel_session'

/** Of the cookie and of the session that it opens: both slide. */
export const sessionLifetimeSeconds = 7 * 24 * 3600

/** Who calls, as requests see it. */
export interface Session {
  /** What the stores know a session by; no session has the id of a caller by API token. */
  id: string
  userId: string
  /** Of a caller by API token. */
  scope?: TokenScope
}

/**
 * The token in the request's cookie. None also when the cookie comes twice: a site below the panel's domain can plant one beside ours, and
 * no one could tell which is which.
 */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  const named = (request.headers.cookie ?? '').split(';').filter((pair) => pair.trim().startsWith(`${sessionCookie}=`))
  if (named.length > 1) return undefined
  const token = request.cookies[sessionCookie]
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined
}

export function setSessionCookie(
  deps: Pick<Dependencies, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string
): void {
  void reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: areCookiesSecure(deps, request),
    maxAge: sessionLifetimeSeconds
  })
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(sessionCookie, { path: '/' })
}

/** Whether cookies are for https alone. */
export const areCookiesSecure = ({ config }: Pick<Dependencies, 'config'>, request: FastifyRequest): boolean =>
  ({
    true: true,
    false: false,
    auto: request.protocol === 'https' || config.API_BASE_URL.startsWith('https:')
  })[config.COOKIE_SECURE]
