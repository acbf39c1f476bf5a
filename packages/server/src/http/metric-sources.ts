import type { Metric as PromMetric, Registry } from 'prom-client'
import type { Dependencies } from '../dependencies.ts'
import type { MetricSample, MetricSource } from '../features/metric-source.ts'
import { withTimeLimit } from '../concurrency/time-limit.ts'
import { messageOf } from '../text/message-of.ts'

const shortestCacheMs = 1_000
// Prometheus gives up after 10 s and would lose all metrics.
const usualTimeoutMs = 5_000

/** Registers all metrics of a source, which is read once per cache time for all metrics and scrapes. */
export function registerSource(
  registry: Registry,
  deps: Dependencies,
  source: MetricSource,
  timeoutMs = usualTimeoutMs
): void {
  const read = cachedRead(deps, source, timeoutMs)
  for (const { name, help, type = 'gauge' } of familiesOf(source, deps)) {
    const metric = {
      name,
      async get() {
        const samples = (await read()).filter(({ family }) => family === name)
        const values = samples.map(({ suffix, labels = {}, value }) => ({
          metricName: `${name}${suffix ?? ''}`,
          labels,
          value
        }))
        return { name, help, type, values, aggregator: 'omit' }
      }
    }
    registry.registerMetric(metric as unknown as PromMetric)
  }
}

const familiesOf = ({ families }: MetricSource, { features }: Dependencies) =>
  typeof families === 'function' ? families(features) : families

/** A source that fails or hangs does not affect the others. */
function cachedRead(deps: Dependencies, source: MetricSource, timeoutMs: number) {
  const { cacheSeconds = 0, read } = source
  let last: { at: number; samples: Promise<readonly MetricSample[]> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at >= Math.max(shortestCacheMs, cacheSeconds * 1000)) {
      const samples = withTimeLimit(read(deps), timeoutMs).catch((error: unknown): MetricSample[] => {
        deps.logger.warn(
          { error: messageOf(error), metrics: familiesOf(source, deps).map(({ name }) => name) },
          'no metrics'
        )
        return []
      })
      last = { at: now, samples }
    }
    return last.samples
  }
}
