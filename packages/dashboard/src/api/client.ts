import { ApiError, createClient, type Schema, unwrap } from '@panel/client'
import { NotProvedError, UnreachableError } from './errors.ts'
import { inLanguage } from './in-language.ts'
import { proveAgain, signInAgain } from './session.ts'

export { ApiError, type ErrorCode, isApiError, type Schema } from '@panel/client'
export { UnreachableError } from './errors.ts'

/** Where somebody signs in or leaves: a 401 is the answer. */
const isSigningIn = (path: string): boolean =>
  /^\/api\/auth\/(config|login|logout|register|forgot-password|reset-password|2fa\/challenge)$/.test(path)
/** These take the proof with them, and say so where it lacks the code. */
const bringsProof = (path: string): boolean => /^\/api\/auth\/(confirm|tokens)$/.test(path)

let keepalive = false
/** What a page still sends when it is left, as a deletion that could be taken back until now, goes on without it. */
export function outliveThePage(): void {
  addEventListener('pagehide', () => (keepalive = true))
  addEventListener('pageshow', () => (keepalive = false))
}

/**
 * A 401 means that nothing was done: after signing in again the same request goes out once more, and so it does where the server wants the
 * password first. Its body is read once only, so a copy is kept aside.
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

/** The data of an answer. Rejects with ApiError, or UnreachableError where the panel did not answer at all. */
export async function data<Data>(answer: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const arrived = answer.catch((cause: unknown) => {
    const isKnown = cause instanceof NotProvedError || (cause instanceof DOMException && cause.name === 'AbortError')
    throw isKnown ? cause : new UnreachableError({ cause })
  })
  return unwrap(arrived).catch(async (error: unknown) => {
    throw await inLanguage(error)
  })
}

/** A part of the server cannot be reached just now: the rest of the page goes on. */
export const isOutage = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ApiError && [502, 503, 504, 507].includes(error.status))

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status

/** A page of an answer that is an array, with how many there are in all. */
export async function page<Item>(
  answer: Promise<{ data?: Item[]; error?: unknown; response: Response }>
): Promise<{ items: Item[]; total: number }> {
  const items = await data(answer)
  const { response } = await answer
  return { items, total: Number(response.headers.get('X-Total-Count') ?? items.length) }
}
