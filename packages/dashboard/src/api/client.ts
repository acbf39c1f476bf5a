import { ApiError, createClient, type Schema, unwrap } from '@panel/client'
import { NotProvedError, UnreachableError } from './errors.ts'
import { inLanguage } from './in-language.ts'
import { proveAgain, signInAgain } from './session.ts'

export { ApiError, type ErrorCode, isApiError, type Schema } from '@panel/client'
export { UnreachableError } from './errors.ts'

/** Here a 401 is the answer, not an expired session. */
const isSigningIn = (path: string): boolean =>
  /^\/api\/auth\/(config|login|logout|register|forgot-password|reset-password|2fa\/challenge)$/.test(path)
/** These send the password themselves. */
const bringsProof = (path: string): boolean => /^\/api\/auth\/(confirm|tokens)$/.test(path)

let keepalive = false
/** Lets pending deletions finish while the page unloads. */
export function outliveThePage(): void {
  addEventListener('pagehide', () => (keepalive = true))
  addEventListener('pageshow', () => (keepalive = false))
}

/**
 * A 401 means nothing was done: after signing in again the request is sent once more, also if the server asks for the
 * password. The body can be read only once, so a copy is kept.
 */
async function send(request: Request): Promise<Response> {
  const copy = request.clone()
  const response = await fetch(request, { keepalive })
  if (response.status !== 401 && response.status !== 403) return response
  const { pathname } = new URL(request.url)
  const { code } = (await response.clone().json()) as Schema<'Error'>
  if (code === 'UNAUTHENTICATED' && !isSigningIn(pathname) && (await signInAgain())) return send(copy)
  if (code !== 'FRESH_AUTH_REQUIRED' || bringsProof(pathname)) return response
  if (await proveAgain()) return fetch(copy)
  throw new NotProvedError()
}

export const api = createClient({ fetch: send })

/** Rejects with ApiError, or UnreachableError if the panel did not respond. */
export async function data<Data>(answer: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const arrived = answer.catch((cause: unknown) => {
    const isKnown = cause instanceof NotProvedError || (cause instanceof DOMException && cause.name === 'AbortError')
    throw isKnown ? cause : new UnreachableError({ cause })
  })
  return unwrap(arrived).catch(async (error: unknown) => {
    throw await inLanguage(error)
  })
}

export const isOutage = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ApiError && [502, 503, 504, 507].includes(error.status))

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status

export async function page<Item>(
  answer: Promise<{ data?: Item[]; error?: unknown; response: Response }>
): Promise<{ items: Item[]; total: number }> {
  const items = await data(answer)
  const { response } = await answer
  return { items, total: Number(response.headers.get('X-Total-Count') ?? items.length) }
}
