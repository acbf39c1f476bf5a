import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ErrorBody } from '@panel/contract/errors'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { lazy } from '../lazy.ts'
import { publicAccess } from './access.ts'
import type { DescribedRoute } from './api-reference.ts'

const pagePrefix = '/api/docs'

/**
 * The OpenAPI 3.1 document at /api/openapi.json, made from the routes' own schemas, and a reference page at /api/docs. Both are made when
 * somebody first asks: hardly any process is asked, and each would start later and be larger for it.
 */
export function addOpenApi(app: App, config: Pick<Config, 'API_BASE_URL'>): void {
  const routes: DescribedRoute[] = []
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

/** The error answers of a route, for its schema; the default covers every code of the envelope. */
export const errorResponses = { '4xx': ErrorBody, '5xx': ErrorBody } as const satisfies Record<string, z.ZodType>
