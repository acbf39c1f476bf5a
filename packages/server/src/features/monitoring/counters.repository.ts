import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { metricCounters } from '../../db/schema/monitoring.ts'

type Counters = Pick<typeof metricCounters.$inferSelect, 'host' | 'containers' | 'workers'>

/** Counters as of the last recorded minute. Locked until the end of the transaction. */
export async function takeCounters<Of extends keyof Counters>(
  trx: Transaction,
  nodeId: string,
  of: Of
): Promise<NonNullable<Counters[Of]> | undefined> {
  await trx.insert(metricCounters).values({ nodeId }).onConflictDoNothing()
  const [row] = await trx
    .select({ counters: metricCounters[of] })
    .from(metricCounters)
    .where(eq(metricCounters.nodeId, nodeId))
    .for('update')
  return (row!.counters as Counters[Of]) ?? undefined
}

export async function keepCounters(trx: Transaction, nodeId: string, counters: Partial<Counters>): Promise<void> {
  await trx.update(metricCounters).set(counters).where(eq(metricCounters.nodeId, nodeId))
}
