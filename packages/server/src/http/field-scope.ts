import type { FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../errors.ts'
import { findFullScope, type Hide, hideSecrets } from './field-scope.policy.ts'
import { routeScope, scopeSuffices } from './token-scope.policy.ts'

/** Whether the caller may read and send members that require the scope full (contract/field-scope.ts). */
export const hasFullScope = ({ session }: Pick<FastifyRequest, 'session'>): boolean =>
  session?.scope === undefined || scopeSuffices(session.scope, 'full')

/**
 * Scope by field, for routes that tokens below full may call: removes secret members from responses and rejects request
 * members that require full. Throws if a secret member cannot be removed: such a route must require full itself.
 */
export function addFieldScopes(route: RouteOptions): void {
  const scopeOfRoute = routeScope(String([route.method].flat()[0]), route.url, route.config?.scope)
  if (scopeOfRoute === 'full' || scopeOfRoute === 'session') return
  hideInAnswers(route)
  refuseInRequests(route)
}

function hideInAnswers(route: RouteOptions): void {
  const hides = new Map<number, Hide>()
  for (const [status, schema] of Object.entries((route.schema?.response ?? {}) as object)) {
    const hide = isSchema(schema) ? hideSecrets(schema, `${route.url} ${status}`) : undefined
    if (hide) hides.set(Number(status), hide)
  }
  if (hides.size === 0) return
  route.preSerialization = [
    ...[route.preSerialization ?? []].flat(),
    (request, reply, payload, done) => {
      const hide = hasFullScope(request) ? undefined : hides.get(reply.statusCode)
      done(null, hide ? hide(payload) : payload)
    }
  ]
}

const parts = { params: 'params', querystring: 'query', body: 'body' } as const

function refuseInRequests(route: RouteOptions): void {
  const finders = Object.entries(parts).flatMap(([name, part]) => {
    const schema = route.schema?.[name as keyof typeof parts]
    const find = isSchema(schema) ? findFullScope(schema) : undefined
    return find ? [(request: FastifyRequest) => find(request[part])] : []
  })
  if (finders.length === 0) return
  route.preHandler = [
    (request, _reply, done) => {
      const member = hasFullScope(request) ? undefined : finders.map((find) => find(request)).find(Boolean)
      if (member === undefined) return done()
      done(new AppError('FORBIDDEN', `With this ${member} the request requires a token with the scope full`))
    },
    ...[route.preHandler ?? []].flat()
  ]
}

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value
