import type { Pump } from './job-pump.ts'
import { findOwn, retryInterrupted } from './job-statements.ts'

/** Requeues jobs that never arrived here because the response to their fetch was lost. */
export async function requeueStrays(
  query: <Row>(text: string, values: unknown[]) => Promise<Row[]>,
  self: string,
  pumps: ReadonlyMap<string, Pump<{ id: string }>>
): Promise<boolean> {
  const queues = [...pumps.keys()]
  const own = await query<{ name: string; id: string }>(findOwn, [queues, self])
  const strays = own.filter(({ name, id }) => {
    const { isFetching, running } = pumps.get(name)!
    return !isFetching() && ![...running.values()].some((job) => job.id === id)
  })
  if (strays.length > 0) await query(retryInterrupted, [queues, [self], strays.map(({ id }) => id)])
  return own.length > 0
}
