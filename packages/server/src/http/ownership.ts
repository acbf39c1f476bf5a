import type { FastifyInstance, RouteOptions } from 'fastify'
import { Id } from '@panel/contract/common'
import { AppError } from '../errors.ts'
import { sessionOf } from './access.ts'

/** Rejects where what an address names is not there for the caller, or is not in the state that all below it takes. */
type RequireOwn = (userId: string, ids: Readonly<Record<string, string>>) => Promise<unknown>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for every route whose address names a resource and that may be refused for its form. */
    requireOwn?: RequireOwn
  }
}

/**
 * Whose a resource is comes before what is asked of it: in front of every route whose address has an id, behind the route policy and
 * before a byte of the body is read. So nobody learns from a validation error that there is something, and 403, 404 or 409 is the answer
 * whatever the body holds. `owners` says by address who is asked; the longest that a route begins with counts, and a route with an id
 * that none of them knows stops the start. A plain GET asks nobody: its handler looks at the same thing first.
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
      throw new Error(`${String(route.method)} ${route.url} has an id, and no feature says whose it is`)
    if (mayBeRefusedForItsForm(route)) route.config = { ...route.config, requireOwn: owner[1] }
  })
  app.addHook('onRequest', async (request) => {
    const { requireOwn } = request.routeOptions.config
    if (!requireOwn) return
    const params = request.params as Record<string, string>
    // Anything may stand in an address, but nothing has such an id.
    for (const [name, value] of Object.entries(params))
      if (isId(name) && !Id.safeParse(value).success) throw new AppError('NOT_FOUND', 'There is nothing of this id')
    await requireOwn(sessionOf(request).userId, params)
  })
}

const isId = (name: string): boolean => /^id$|Id$/.test(name)

const mayBeRefusedForItsForm = ({ method, url, schema }: RouteOptions): boolean =>
  schema?.querystring !== undefined ||
  url.split('/:').length > 2 ||
  [method].flat().some((each) => each !== 'GET' && each !== 'HEAD')
