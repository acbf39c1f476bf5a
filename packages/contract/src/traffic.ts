import { z } from 'zod'
import { Timestamp } from './common.ts'
import { MetricRange } from './monitoring.ts'

const figures = {
  requests: z.int(),
  clientErrors: z.int().meta({ description: 'Responses with status 400 to 499.' }),
  serverErrors: z
    .int()
    .meta({ description: 'Responses with status 500 to 599, from the site or from the proxy on its behalf.' }),
  errorShare: z
    .number()
    .nullable()
    .meta({ description: 'Server errors divided by requests, 0 to 1; null without requests.' }),
  bytesIn: z.int().meta({ description: 'Bytes from clients, including request headers.' }),
  bytesOut: z.int().meta({ description: 'Bytes to clients, including response headers.' }),
  p50Ms: z.number().nullable().meta({ description: 'Median time to first byte; overestimates by up to 19%.' }),
  p95Ms: z
    .number()
    .nullable()
    .meta({ description: '95th percentile of the time to first byte; overestimates by up to 19%.' })
}

export const TrafficPoint = z
  .object({ at: Timestamp.meta({ description: 'Start of the point.' }), ...figures })
  .meta({ id: 'TrafficPoint' })
export type TrafficPoint = z.infer<typeof TrafficPoint>

export const Traffic = z
  .object({
    range: MetricRange,
    stepSeconds: z.int().meta({ description: 'Duration of a point.' }),
    total: z.object(figures),
    points: z.array(TrafficPoint).meta({ description: 'In chronological order; points without requests are omitted.' })
  })
  .meta({ id: 'Traffic' })
export type Traffic = z.infer<typeof Traffic>
