import type { Dependencies } from '../dependencies.ts'

/** A gauge of /metrics, read when somebody asks: one number for each value of its label. */
export interface Metric {
  name: string
  help: string
  label: string
  read(deps: Dependencies): Promise<Readonly<Record<string, number>>>
}

/** Figures of /metrics that are read together: by several labels, counted or measured. */
export interface MetricSource {
  families: readonly MetricFamily[] | ((features: Dependencies['features']) => readonly MetricFamily[])
  /** How old they may be: for what is costly to read. */
  cacheSeconds?: number
  read(deps: Dependencies): Promise<readonly MetricSample[]>
}

/**
 * Gauges that take rights or time to read: the worker reads them every five minutes and writes them down. /metrics has the last ones, and
 * GET /api/monitoring/figures all of 30 days.
 */
export interface FigureSource {
  families: readonly MetricFamily[]
  /** `minutes`: what lies between two readings. */
  read(deps: Dependencies, minutes: number): Promise<readonly MetricSample[]>
}

/** Named as Prometheus would have it: in base units, and with `_total` what only grows. */
export interface MetricFamily {
  name: string
  help: string
  /** Default gauge. */
  type?: 'gauge' | 'counter' | 'histogram'
  /** Of which there is a bounded number of values. */
  labels: readonly string[]
}

export interface MetricSample {
  /** Its name. */
  family: string
  /** `_bucket`, `_sum` and `_count` of a histogram. */
  suffix?: string
  labels?: Readonly<Record<string, string | number>>
  value: number
}
