import { z } from 'zod'
import { leastConnections } from '../db/connection-budget.ts'
import { bytes, whole } from './values.ts'

/** External database and session store of the panel. */
export const storeVariables = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  STORE_RESERVE: z.string().default('256m').pipe(bytes),
  STORE_CONNECTIONS: whole(leastConnections, 1000).default(leastConnections),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional()
}
