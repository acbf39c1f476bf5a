import { z } from 'zod'
import { leastConnections } from '../db/connection-budget.ts'
import { whole } from './values.ts'

/** Where rows and shared memory are kept, when not in the panel's own. */
export const storeVariables = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  STORE_CONNECTIONS: whole(leastConnections, 1000).default(leastConnections),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional()
}
