import { z } from 'zod'
import { Timestamp } from './common.ts'

export const Figure = z
  .object({
    name: z.string().meta({
      description: 'Metric name as in /metrics, including its unit.',
      examples: ['panel_database_connections']
    }),
    labels: z.record(z.string(), z.string()).meta({ examples: [{ engine: 'POSTGRESQL' }] }),
    help: z.string().meta({ description: 'Short description of the metric.' }),
    points: z.array(z.object({ recordedAt: Timestamp, value: z.number() }))
  })
  .meta({ id: 'Figure' })
export type Figure = z.infer<typeof Figure>
