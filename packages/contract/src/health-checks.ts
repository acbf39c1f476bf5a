import { z } from 'zod'
import { words } from './details.ts'

export const HealthCheck = z
  .object({
    path: z
      .string()
      .max(500)
      .regex(/^\/(?!\/)[!-~]*$/, words.HEALTH_PATH)
      .nullable()
      .meta({
        description:
          'Path and query of a GET request to the container. Null, for what is not HTTP: a container is ready once its port accepts a connection.',
        examples: ['/health']
      }),
    status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .default(null)
      .meta({ description: 'The expected status; null: any from 200 to 399.' }),
    timeoutSeconds: z.int().min(1).max(120).default(10).meta({ description: 'Time limit of one request.' }),
    graceSeconds: z
      .int()
      .min(1)
      .max(1800)
      .nullable()
      .default(null)
      .meta({ description: 'How long a new container may take until it answers so; null: as set for the server.' })
  })
  .meta({ id: 'HealthCheck' })
export type HealthCheck = z.infer<typeof HealthCheck>
