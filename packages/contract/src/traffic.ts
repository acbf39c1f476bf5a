import { z } from 'zod'
import { Timestamp } from './common.ts'
import { MetricRange } from './monitoring.ts'

const figures = {
  requests: z.int(),
  clientErrors: z.int().meta({ description: 'Answered with 400 to 499.' }),
  serverErrors: z.int().meta({ description: 'Answered with 500 to 599, by the site or by the proxy in its place.' }),
  errorShare: z
    .number()
    .nullable()
    .meta({ description: 'Server errors among the requests, 0 to 1; null without a request.' }),
  bytesIn: z.int().meta({ description: 'From clients, with the heads of requests.' }),
  bytesOut: z.int().meta({ description: 'To clients, with the heads of answers.' }),
  p50Ms: z
    .number()
    .nullable()
    .meta({ description: 'Half of the answers began within this time; up to 19 % too long.' }),
  p95Ms: z.number().nullable().meta({ description: '95 of 100 answers began within this time; up to 19 % too long.' })
}

export const TrafficPoint = z
  .object({ at: Timestamp.meta({ description: 'Where it begins.' }), ...figures })
  .meta({ id: 'TrafficPoint' })
export type TrafficPoint = z.infer<typeof TrafficPoint>

export const Traffic = z
  .object({
    range: MetricRange,
    stepSeconds: z.int().meta({ description: 'How long a point is.' }),
    total: z.object(figures),
    points: z.array(TrafficPoint).meta({ description: 'In the order of time; those without a request are left out.' })
  })
  .meta({ id: 'Traffic' })
export type Traffic = z.infer<typeof Traffic>
