import createFetchClient, { type Client as FetchClient, type Middleware } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export type { components, operations, paths } from './schema.ts'
export { startTerminal, type TerminalEnded, type TerminalEndReason, type TerminalSession } from './terminal.ts'

/** `client.GET('/api/projects', { params: { query: { page: 2 } } })` resolves with `{ data, error, response }`. */
export type Client = FetchClient<paths>

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export type ErrorBody = Schema<'Error'>
export type ErrorCode = ErrorBody['code']

export interface ClientOptions {
  /** Origin of the panel, for example `https://panel.example.com`. Default: the page's own origin. */
  baseUrl?: string
  token?: string
  cookies?: CookieJar
  fetch?: (request: Request) => Promise<Response>
}

export function createClient({ baseUrl = '', token, cookies, fetch }: ClientOptions = {}): Client {
  const client = createFetchClient<paths>({ baseUrl, ...(fetch ? { fetch } : {}) })
  client.use(credentials(token, cookies))
  return client
}

/** Cookies of one panel. Use a jar for one client only: it ignores the cookie domain. */
export interface CookieJar {
  header(): string | undefined
  keep(response: Response): void
}

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, string>()
  return {
    header: () => (cookies.size === 0 ? undefined : [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')),
    keep(response) {
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
        if (name === undefined) continue
        if (value === '' || /;\s*max-age=0\b/i.test(line)) cookies.delete(name)
        else cookies.set(name, value!)
      }
    }
  }
}

function credentials(token: string | undefined, cookies: CookieJar | undefined): Middleware {
  return {
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`)
      const cookie = token === undefined ? cookies?.header() : undefined
      if (cookie !== undefined) request.headers.set('Cookie', cookie)
      return request
    },
    onResponse({ response }) {
      cookies?.keep(response)
      return response
    }
  }
}

export class ApiError extends Error {
  readonly status: number
  /** Undefined if the response is not the panel's, usually that of a proxy in between. */
  readonly code: ErrorCode | undefined
  readonly details: ErrorBody['details']
  readonly sentences: NonNullable<ErrorBody['sentences']>
  /** Cause and remedy of an outage, for administrators; also part of the message. */
  readonly outage: ErrorBody['outage']
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, body: unknown) {
    const known = isErrorBody(body) ? body : undefined
    super(known?.error ?? `The server answered ${response.status} ${response.statusText}`.trim())
    this.name = 'ApiError'
    this.status = response.status
    this.code = known?.code
    this.details = known?.details
    this.sentences = known?.sentences ?? []
    this.outage = known?.outage
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

export function isApiError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError & { code: Code } {
  if (!(error instanceof ApiError)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}

/** Resolves with the data of a response; rejects with ApiError on an error response. */
export async function unwrap<Data>(
  answer: Promise<{ data?: Data; error?: unknown; response: Response }>
): Promise<Data> {
  const { data, error, response } = await answer
  if (!response.ok) throw new ApiError(response, error)
  return data as Data
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body && 'code' in body
}
