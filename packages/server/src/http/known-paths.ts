import type { FastifyInstance } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'

/** Which methods the routes know for a path: Fastify's own router tells of a method and a path together alone. */
export function trackPaths(app: FastifyInstance, routerOptions: { maxParamLength: number }) {
  const router = createRouter(routerOptions)
  const known = new Set<HTTPMethod>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat() as HTTPMethod[]) {
      known.add(each)
      router.on(each, url, () => {})
    }
  })
  return {
    methodsAt: (url: string): HTTPMethod[] =>
      [...known].filter((method) => router.find(method, url.split('?')[0]!) !== null).sort()
  }
}
