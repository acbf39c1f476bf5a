import type { FastifyInstance } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'
import { AppError } from '../errors.ts'

export const nothingAtAddress = () => new AppError('NOT_FOUND', 'Not found')

/**
 * Response when no route matches: 405 with `Allow` if the path has routes of other methods, else 404. Call it before
 * routes are added: Fastify's router only finds method and path together, so a second router collects methods by path.
 */
export function addNotFound(app: FastifyInstance, routerOptions: { maxParamLength: number }): void {
  const router = createRouter(routerOptions)
  const known = new Set<HTTPMethod>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat() as HTTPMethod[]) {
      known.add(each)
      router.on(each, url, () => {})
    }
  })
  app.setNotFoundHandler((request, reply) => {
    const methods = [...known].filter((method) => router.find(method, request.url.split('?')[0]!) !== null).sort()
    if (methods.length === 0) throw nothingAtAddress()
    void reply.header('Allow', methods.join(', '))
    throw new AppError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here. Use ${methods.join(', ')}.`)
  })
}
