import type { FastifyInstance, RouteOptions } from 'fastify'
import { Id } from '@panel/contract/common'
import { AppError } from '../errors.ts'
import { sessionOf } from './access.ts'

/** Rejects if the resource does not exist for the caller, or is in a state that rules out all operations below it. */
type RequireOwn = (userId: string, ids: Readonly<Record<string, string>>) => Promise<unknown>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes with a resource in the path whose requests may fail validation. */
    requireOwn?: RequireOwn
  }
}

/**
 * Checks ownership on every route with an ID in the path, after the route policy and before the body is read, so that
 * validation errors do not reveal whether a resource exists. `owners` maps path prefixes to checks; the longest match
 * wins, and a route without a match fails the start. A plain GET is skipped, because its handler checks first.
 */
export function addOwnership(app: FastifyInstance, owners: Readonly<Record<string, RequireOwn>>): void {
  const byLength = Object.entries(owners).sort(([a], [b]) => b.length - a.length)
  app.addHook('onRoute', (route) => {
    const access = route.config?.access
    if (!access || access.kind === 'public' || !route.url.includes('/:')) return
    const owner = byLength.find(([address]) => route.url === address || route.url.startsWith(`${address}/`))
    const ownerPath = owner?.[0].split('/') ?? []
    const unknown = route.url
      .split('/')
      .some((part) => isId(part.slice(1)) && part.startsWith(':') && !ownerPath.includes(part))
    if (!owner || unknown)
      throw new Error(`${String(route.method)} ${route.url} has an id, but no feature declares its owner`)
    if (mayBeRefusedForItsForm(route)) route.config = { ...route.config, requireOwn: owner[1] }
  })
  app.addHook('onRequest', async (request) => {
    const { requireOwn } = request.routeOptions.config
    if (!requireOwn) return
    const params = request.params as Record<string, string>
    // Malformed IDs are NOT_FOUND.
    for (const [name, value] of Object.entries(params))
      if (isId(name) && !Id.safeParse(value).success) throw new AppError('NOT_FOUND', 'Not found')
    await requireOwn(sessionOf(request).userId, params)
  })
}

const isId = (name: string): boolean => /^id$|Id$/.test(name)

const mayBeRefusedForItsForm = ({ method, url, schema }: RouteOptions): boolean =>
  schema?.querystring !== undefined ||
  url.split('/:').length > 2 ||
  [method].flat().some((each) => each !== 'GET' && each !== 'HEAD')
