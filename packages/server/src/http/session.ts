import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenScope } from '@panel/contract/api-tokens'
import type { Dependencies } from '../dependencies.ts'

export const sessionCookie = 'panel_session'

/**
 * Its name over https. Browsers take a cookie of such a name only from the host itself, over https and for all of it (RFC 6265bis
 * §4.1.3.2), so that no site below the panel's domain can plant one.
 */
export const hostSessionCookie = `__Host-${sessionCookie}`

/** Of the cookie and of the session that it opens: both slide. */
export const sessionLifetimeSeconds = 7 * 24 * 3600

/** However a session slides: who has taken one over does not have it for good. */
export const sessionMaxSeconds = 30 * 24 * 3600

/** Who calls, as requests see it. */
export interface Session {
  /** What the stores know a session by; no session has the id of a caller by API token. */
  id: string
  userId: string
  /** Of a caller by API token. */
  scope?: TokenScope
  /** When the person last showed the password, and the code where there is two-factor; a token shows none. */
  provedAt?: Date
}

// More than any browser comes by honestly; each costs a look into the store.
const maxTokens = 4

/** Of a request, what says which cookies count: those of the live channel are none of Fastify's. */
export type CookieRequest = Pick<FastifyRequest, 'headers' | 'protocol'>

/** The tokens in the request's cookies of our name: more than one where a site below the panel's domain has planted some over plain http. */
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

/** Whether cookies are for https alone. */
export const areCookiesSecure = ({ config }: Pick<Dependencies, 'config'>, request: CookieRequest): boolean =>
  ({
    true: true,
    false: false,
    auto: request.protocol === 'https' || config.API_BASE_URL.startsWith('https:')
  })[config.COOKIE_SECURE]

const nameOf = (deps: Pick<Dependencies, 'config'>, request: CookieRequest): string =>
  request.protocol === 'https' && areCookiesSecure(deps, request) ? hostSessionCookie : sessionCookie
