import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { ErrorCode } from '@panel/contract/errors'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { lazy } from '../concurrency/lazy.ts'
import { publicAccess } from './access.ts'
import type { Media } from './openapi/document.types.ts'
import type { AnswerHeader } from './openapi/headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Routes in the OpenAPI document. */
    describedRoutes: readonly DescribedRoute[]
  }
  interface FastifySchema {
    /** Error codes specific to the route; others are derived (operation-errors.policy.ts). */
    errors?: readonly ErrorCode[]
    /** Response headers for clients. */
    answerHeaders?: readonly AnswerHeader[]
    /** Request parts that no schema validates. */
    receives?: {
      headers?: Readonly<Record<string, { description: string; example: string }>>
      /** Query members that the schema marks optional but the route requires. */
      query?: Readonly<Record<string, { description: string; example: string }>>
      body?: Media & { mediaType?: string }
    }
  }
}

/** What the document needs of a route. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

const pagePrefix = '/api/docs'

/**
 * OpenAPI 3.1 document at /api/openapi.json, generated from the route schemas, and a reference page at /api/docs. Both
 * are built on first request, to keep start time and memory low.
 */
export function addOpenApi(app: App, config: Pick<Config, 'API_BASE_URL'>): void {
  const routes: DescribedRoute[] = []
  app.decorate('describedRoutes', routes)
  app.addHook('onRoute', ({ method, url, schema = {}, config: routeConfig = {} }) => {
    // HEAD routes are derived from GET.
    if (method !== 'HEAD' && schema.hide !== true) routes.push({ method, url, schema, config: routeConfig })
  })
  const reference = lazy(async () => {
    const { createApiReference } = await import('./api-reference.ts')
    return createApiReference(routes, { baseUrl: config.API_BASE_URL, pagePrefix })
  })
  const passOn = async ({ method, url, headers }: FastifyRequest, reply: FastifyReply) => {
    const answer = await (await reference()).inject({ method: method as 'GET' | 'HEAD', url, headers })
    if (answer.statusCode >= 400) throw new AppError('NOT_FOUND', 'Not found')
    const { connection: _, ...answered } = answer.headers
    return reply.code(answer.statusCode).headers(answered).send(answer.rawPayload)
  }
  const hidden = { config: { access: publicAccess }, schema: { hide: true } }
  app.get('/api/openapi.json', hidden, async () => (await reference()).swagger())
  app.get(pagePrefix, hidden, passOn)
  app.get(`${pagePrefix}/*`, hidden, passOn)
}
