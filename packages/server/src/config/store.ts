import { z } from 'zod'

/** Where rows and shared memory are kept, when not in the panel's own. */
export const storeVariables = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional()
}
