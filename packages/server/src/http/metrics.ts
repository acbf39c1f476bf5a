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
 * Prometheus metrics of the process, requests and features; needs an ADMIN session or METRICS_TOKEN. Without a token,
 * collection starts with the first request: measuring event-loop delay needs a 10 ms timer, most of an idle panel's CPU.
 */
export async function addMetrics(app: FastifyInstance, deps: Dependencies): Promise<void> {
  let opened: Metrics | undefined
  const open = lazy(async () => (opened = await openMetrics(deps)))
  if (deps.config.METRICS_TOKEN !== undefined) await open()
  app.addHook('onResponse', async (request, reply) => {
    // The route pattern, never the path, to bound the number of labels.
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
  // Redundant sums of the metrics by type, and gauges despite the `_total` suffix.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route and status',
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
