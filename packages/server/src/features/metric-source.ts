import type { Dependencies } from '../dependencies.ts'

/** A gauge of /metrics with one value per label value, read on each scrape. */
export interface Metric {
  name: string
  help: string
  label: string
  read(deps: Dependencies): Promise<Readonly<Record<string, number>>>
}

/** Metrics of /metrics that are read together and may have several labels. */
export interface MetricSource {
  families: readonly MetricFamily[] | ((features: Dependencies['features']) => readonly MetricFamily[])
  /** How long to cache them when they are expensive to read. */
  cacheSeconds?: number
  read(deps: Dependencies): Promise<readonly MetricSample[]>
}

/**
 * Gauges that are slow or need privileges to read: the worker samples them every five minutes. /metrics shows the
 * latest sample, GET /api/monitoring/figures those of the last 30 days.
 */
export interface FigureSource {
  families: readonly MetricFamily[]
  /** `minutes`: the sampling interval. */
  read(deps: Dependencies, minutes: number): Promise<readonly MetricSample[]>
}

/** Prometheus naming: base units, and the suffix `_total` for counters. */
export interface MetricFamily {
  name: string
  help: string
  /** Default gauge. */
  type?: 'gauge' | 'counter' | 'histogram'
  /** Each must have a bounded set of values. */
  labels: readonly string[]
}

export interface MetricSample {
  /** The name of its family. */
  family: string
  /** `_bucket`, `_sum` or `_count`, for histograms. */
  suffix?: string
  labels?: Readonly<Record<string, string | number>>
  value: number
}
