import type { Dependencies } from '../dependencies.ts'

/** Read on each scrape of /metrics. */
export interface Metric {
  name: string
  help: string
  label: string
  read(deps: Dependencies): Promise<Readonly<Record<string, number>>>
}

export interface MetricSource {
  families: readonly MetricFamily[] | ((features: Dependencies['features']) => readonly MetricFamily[])
  /** How long to cache them when they are expensive to read. */
  cacheSeconds?: number
  read(deps: Dependencies): Promise<readonly MetricSample[]>
}

/** Gauges that are slow or need privileges to read. The worker samples them every five minutes and keeps 30 days. */
export interface FigureSource {
  families: readonly MetricFamily[]
  /** `minutes`: the sampling interval. */
  read(deps: Dependencies, minutes: number): Promise<readonly MetricSample[]>
}

/** Prometheus naming: base units, and the suffix `_total` for counters. */
export interface MetricFamily {
  name: string
  help: string
  type?: 'gauge' | 'counter' | 'histogram'
  /** Each must have a bounded set of values. */
  labels: readonly string[]
}

export interface MetricSample {
  family: string
  /** `_bucket`, `_sum` or `_count`, for histograms. */
  suffix?: string
  labels?: Readonly<Record<string, string | number>>
  value: number
}
