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
    /** Those of the OpenAPI document, as they were registered. */
    describedRoutes: readonly DescribedRoute[]
  }
  interface FastifySchema {
    /** The codes of its own that a route may answer; others follow from how it is made (operation-errors.policy.ts). */
    errors?: readonly ErrorCode[]
    /** The headers of its answers that a client reads. */
    answerHeaders?: readonly AnswerHeader[]
    /** What of a request no schema checks. */
    receives?: {
      headers?: Readonly<Record<string, { description: string; example: string }>>
      /** Members of the query that it takes, though their schema lets them be missing. */
      query?: Readonly<Record<string, { description: string; example: string }>>
      body?: Media & { mediaType?: string }
    }
  }
}

/** What of a route stands in the document. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

const pagePrefix = '/api/docs'

/**
 * The OpenAPI 3.1 document at /api/openapi.json, made from the routes' own schemas, and a reference page at /api/docs. Both are made when
 * somebody first asks: hardly any process is asked, and each would start later and be larger for it.
 */
export function addOpenApi(app: App, config: Pick<Config, 'API_BASE_URL'>): void {
  const routes: DescribedRoute[] = []
  app.decorate('describedRoutes', routes)
  app.addHook('onRoute', ({ method, url, schema = {}, config: routeConfig = {} }) => {
    // Those of GET bring their own.
    if (method !== 'HEAD' && schema.hide !== true) routes.push({ method, url, schema, config: routeConfig })
  })
  const reference = lazy(async () => {
    const { createApiReference } = await import('./api-reference.ts')
    return createApiReference(routes, { baseUrl: config.API_BASE_URL, pagePrefix })
  })
  const passOn = async ({ method, url, headers }: FastifyRequest, reply: FastifyReply) => {
    const answer = await (await reference()).inject({ method: method as 'GET' | 'HEAD', url, headers })
    if (answer.statusCode >= 400) throw new AppError('NOT_FOUND', 'There is nothing at this address')
    const { connection: _, ...answered } = answer.headers
    return reply.code(answer.statusCode).headers(answered).send(answer.rawPayload)
  }
  const hidden = { config: { access: publicAccess }, schema: { hide: true } }
  app.get('/api/openapi.json', hidden, async () => (await reference()).swagger())
  app.get(pagePrefix, hidden, passOn)
  app.get(`${pagePrefix}/*`, hidden, passOn)
}
