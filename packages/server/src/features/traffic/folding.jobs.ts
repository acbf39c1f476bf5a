import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { keptDays, keptMinutes, quarterOf } from './traffic.policy.ts'
import { aggregateDeleted } from './traffic-totals.repository.ts'
import { deleteOldTraffic, findOldestMinute, foldQuarter } from './traffic.repository.ts'

const minuteMs = 60_000

/** Rolls old minutes up into quarter-hours and deletes expired ones, a bounded part per transaction. */
export async function foldTraffic(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { projects = 500, rows = 5_000 } = {}
): Promise<void> {
  const before = quarterOf(new Date(now().getTime() - keptMinutes * minuteMs))
  for (let oldest = await findOldestMinute(db, before); oldest; oldest = await findOldestMinute(db, before))
    await foldQuarter(db, quarterOf(oldest), { batch: newId(), projects })
  const end = new Date(now().getTime() - keptDays * 24 * 60 * minuteMs)
  while ((await deleteOldTraffic(db, end, rows)) === rows);
  await aggregateDeleted(db)
}
