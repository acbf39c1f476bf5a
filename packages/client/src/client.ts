import createFetchClient, { type Client as FetchClient, type Middleware } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export type { components, operations, paths } from './schema.ts'

/** The API: `client.GET('/api/projects', { params: { query: { page: 2 } } })`. Answers are `{ data, error, response }`; see `unwrap`. */
export type Client = FetchClient<paths>

/** What the API sends and takes, by name: `Schema<'Project'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export type ErrorBody = Schema<'Error'>
export type ErrorCode = ErrorBody['code']

export interface ClientOptions {
  /** Of the panel, as `https://panel.example.com`. Without it a page's own address. */
  baseUrl?: string
  /** An API token. Without one the session cookie signs in: the browser's own, or that of `cookies`. */
  token?: string
  /** Keeps the session outside a browser, where nobody else does. */
  cookies?: CookieJar
  /** In place of the global one. */
  fetch?: (request: Request) => Promise<Response>
}

/** A client of one panel, for one token or one session. */
export function createClient({ baseUrl = '', token, cookies, fetch }: ClientOptions = {}): Client {
  const client = createFetchClient<paths>({ baseUrl, ...(fetch ? { fetch } : {}) })
  client.use(credentials(token, cookies))
  return client
}

/** The cookies of one panel. A jar belongs to one client: it does not look at what host a cookie is for. */
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

/** What the API refuses, or answers with something that is not its own. */
export class ApiError extends Error {
  readonly status: number
  /** Undefined where the answer was not the panel's: that of a proxy in between, as a rule. */
  readonly code: ErrorCode | undefined
  /** Which members were not valid. */
  readonly details: ErrorBody['details']
  /** What the message says by its codes, where it has some. */
  readonly sentences: NonNullable<ErrorBody['sentences']>
  /** For an ADMIN, where a part of the server cannot be used: why, and what to do. The message says it too. */
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

/** Whether it is an error of the API, with one of these codes where some are given. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError & { code: Code } {
  if (!(error instanceof ApiError)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}

/** The data of an answer; rejects with ApiError where it is none. */
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
