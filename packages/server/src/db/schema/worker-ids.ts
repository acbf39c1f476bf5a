import { pgSequence } from 'drizzle-orm/pg-core'

export const workerId = pgSequence('worker_id', { maxValue: 2_000_000_000, cycle: true })
