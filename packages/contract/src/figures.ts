import { z } from 'zod'
import { Timestamp } from './common.ts'

export const Figure = z
  .object({
    name: z.string().meta({
      description: 'As /metrics has it; it says its unit.',
      examples: ['panel_database_connections']
    }),
    labels: z.record(z.string(), z.string()).meta({ examples: [{ engine: 'POSTGRESQL' }] }),
    help: z.string().meta({ description: 'What it is, in a few words.' }),
    points: z.array(z.object({ recordedAt: Timestamp, value: z.number() }))
  })
  .meta({ id: 'Figure' })
export type Figure = z.infer<typeof Figure>
