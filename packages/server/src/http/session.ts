import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenScope } from '@panel/contract/api-tokens'
import type { Dependencies } from '../dependencies.ts'

export const sessionCookie = 'panel_session'

/**
 * Name over HTTPS. With the `__Host-` prefix browsers accept the cookie only from this host over HTTPS (RFC 6265bis
 * §4.1.3.2), so that a site on a subdomain cannot plant one.
 */
export const hostSessionCookie = `__Host-${sessionCookie}`

export const sessionLifetimeSeconds = 7 * 24 * 3600

/** Absolute limit, so that a stolen session does not last forever. */
export const sessionMaxSeconds = 30 * 24 * 3600

export interface Session {
  /** Session id; for an API token an id that no session has. */
  id: string
  userId: string
  scope?: TokenScope
  /** When the user last entered the password (and the two-factor code, if enabled). Never set for tokens. */
  provedAt?: Date
}

const maxTokens = 4

export type CookieRequest = Pick<FastifyRequest, 'headers' | 'protocol'>

/**
 * Valid-looking session tokens in the cookies. May be several: a site on a subdomain can plant cookies over plain HTTP.
 */
export function sessionTokensOf(deps: Pick<Dependencies, 'config'>, request: CookieRequest): string[] {
  const prefix = `${nameOf(deps, request)}=`
  const values = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const text = pair.trim()
    return text.startsWith(prefix) ? [text.slice(prefix.length)] : []
  })
  return [...new Set(values)].filter((value) => /^[A-Za-z0-9_-]{43}$/.test(value)).slice(0, maxTokens)
}

export function setSessionCookie(
  deps: Pick<Dependencies, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  lifetimeSeconds = sessionLifetimeSeconds
): void {
  void reply.setCookie(nameOf(deps, request), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: areCookiesSecure(deps, request),
    maxAge: lifetimeSeconds
  })
}

export function clearSessionCookie(
  deps: Pick<Dependencies, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply
): void {
  void reply.clearCookie(nameOf(deps, request), { path: '/', secure: areCookiesSecure(deps, request) })
}

export const areCookiesSecure = ({ config }: Pick<Dependencies, 'config'>, request: CookieRequest): boolean =>
  ({
    true: true,
    false: false,
    auto: request.protocol === 'https' || config.API_BASE_URL.startsWith('https:')
  })[config.COOKIE_SECURE]

const nameOf = (deps: Pick<Dependencies, 'config'>, request: CookieRequest): string =>
  request.protocol === 'https' && areCookiesSecure(deps, request) ? hostSessionCookie : sessionCookie
