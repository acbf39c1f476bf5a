import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Dependencies } from '../dependencies.ts'
import type {} from './access.ts'

/** Prometheus metrics of the process, of requests by route, and of the features; not public (an ADMIN session or METRICS_TOKEN). */
export function addMetrics(app: FastifyInstance, deps: Dependencies): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry]
  })
  app.addHook('onResponse', async (request, reply) => {
    // The pattern of the route, never the path: labels must not grow with requests.
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  for (const { name, help, label, read } of deps.features.flatMap(({ metrics }) => metrics ?? [])) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        for (const [value, count] of Object.entries(await read(deps))) this.set({ [label]: value }, count)
      }
    })
  }
  app.get('/metrics', { config: { access: { kind: 'metrics' } }, schema: { hide: true } }, async (_request, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
