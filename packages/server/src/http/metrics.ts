import type { FastifyInstance } from 'fastify'
import type { Histogram, Registry } from 'prom-client'
import type { Dependencies } from '../dependencies.ts'
import { lazy } from '../concurrency/lazy.ts'
import type {} from './access.ts'
import { registerSource } from './metric-sources.ts'

interface Metrics {
  registry: Registry
  seconds: Histogram<'method' | 'route' | 'status'>
}

/**
 * Prometheus metrics of the process, of requests by route, and of the features; not public (an ADMIN session or METRICS_TOKEN). Counted from
 * the start where there is a token, else from when somebody first asks: the delay of the event loop takes a timer of 10 ms, which would be
 * most of what an idle panel does.
 */
export async function addMetrics(app: FastifyInstance, deps: Dependencies): Promise<void> {
  let opened: Metrics | undefined
  const open = lazy(async () => (opened = await openMetrics(deps)))
  if (deps.config.METRICS_TOKEN !== undefined) await open()
  app.addHook('onResponse', async (request, reply) => {
    // The pattern of the route, never the path: labels must not grow with requests.
    const route = request.routeOptions.url ?? 'none'
    opened?.seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', { config: { access: { kind: 'metrics' } }, schema: { hide: true } }, async (_request, reply) => {
    const { registry } = await open()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

async function openMetrics(deps: Dependencies): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Sums of others that are shown by type, and no counters, as their names would have it.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry]
  })
  for (const metric of deps.features.flatMap(({ metrics }) => metrics ?? [])) {
    if ('families' in metric) {
      registerSource(registry, deps, metric)
      continue
    }
    const { name, help, label, read } = metric
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
  return { registry, seconds }
}
