import { pgSequence } from 'drizzle-orm/pg-core'

/** Ids of worker processes (infra/worker-lease). */
export const workerId = pgSequence('worker_id', { maxValue: 2_000_000_000, cycle: true })
