import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
  components: { responses: Record<string, Answer> }
}
interface Answer {
  $ref?: string
  headers?: Record<string, object>
  content?: { 'application/json'?: { examples?: Record<string, object> } }
}

/** Shared, because routes are the same on all panels. */
let document: Promise<Documented> | undefined

/**
 * Records responses; the returned function resolves with statuses, error codes and headers missing from the OpenAPI
 * document.
 */
export function recordAnswers(app: FastifyInstance): () => Promise<string[]> {
  const seen = new Map<string, { method: string; path: string; status: number; code: string; headers: string[] }>()
  const inject = app.inject.bind(app) as (...args: unknown[]) => unknown
  app.inject = ((...args: unknown[]) => {
    const result = inject(...args)
    const [request] = args as [InjectOptions | string | undefined]
    if (request === undefined || args.length > 1) return result
    const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
    const note = (answer: LightMyRequestResponse) => {
      const path = String(url).split('?')[0]!
      const code = answer.statusCode < 400 ? '' : codeOf(answer)
      const headers = readHeaders.filter((name) => answer.headers[name] !== undefined)
      const one = { method: method.toLowerCase(), path, status: answer.statusCode, code, headers }
      seen.set(JSON.stringify(one), one)
    }
    void (result as Promise<LightMyRequestResponse>).then(note, () => {})
    return result
  }) as typeof app.inject
  return async () => {
    document ??= (inject('/api/openapi.json') as Promise<LightMyRequestResponse>).then((answer) => answer.json())
    const { paths, components } = await document
    const find = finderOf(Object.keys(paths))
    const problems = [...seen.values()].flatMap(({ method, path, status, code, headers }) => {
      const known = find(path)
      const operation = known === undefined ? undefined : paths[known]![method]
      if (!operation || code === 'METHOD_NOT_ALLOWED') return []
      const name = `${method.toUpperCase()} ${known} ${status}`
      const given = operation.responses[status]
      if (!given) return [`${name} ${code}`]
      const answer = given.$ref === undefined ? given : components.responses[given.$ref.split('/').at(-1)!]!
      const codes = Object.keys(answer.content?.['application/json']?.examples ?? {})
      if (status >= 400) return code === '' || codes.includes(code) ? [] : [`${name} ${code}`]
      const reported = Object.keys(answer.headers ?? {}).map((header) => header.toLowerCase())
      return headers.filter((header) => !reported.includes(header)).map((header) => `${name} ${header}`)
    })
    return [...new Set(problems)]
  }
}

/** Except Set-Cookie, which any session operation may send. */
const readHeaders = ['x-total-count', 'link', 'content-disposition', 'content-range']

/** Error code of the envelope; undefined without one, as for HEAD. */
function codeOf(answer: LightMyRequestResponse): string {
  try {
    return answer.json<{ code?: string }>().code ?? ''
  } catch {
    return ''
  }
}

/** Path of the document for a request path; literal segments win over parameters, as in the router. */
function finderOf(paths: readonly string[]): (path: string) => string | undefined {
  const patterns = paths
    .map((path) => ({ path, parts: path.split('/') }))
    .sort((one, other) => rank(one.parts).localeCompare(rank(other.parts)))
  return (path) => {
    const parts = path.split('/')
    return patterns.find(
      (pattern) =>
        pattern.parts.length === parts.length &&
        pattern.parts.every((part, at) => part.startsWith('{') || part === parts[at])
    )?.path
  }
}

const rank = (parts: readonly string[]): string => parts.map((part) => (part.startsWith('{') ? '1' : '0')).join('')
