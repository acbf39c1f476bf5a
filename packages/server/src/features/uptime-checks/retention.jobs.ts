import type { Dependencies } from '../../dependencies.ts'
import { deleteOldHours, deleteOldIncidents, deleteOldResults } from './history.repository.ts'

const dayMs = 24 * 3_600_000
const batch = 10_000
const maxBatches = 200
const keptDays = 95

export async function purgeHistory({ config, db, now }: Pick<Dependencies, 'config' | 'db' | 'now'>): Promise<void> {
  const at = now().getTime()
  const runsBefore = new Date(at - config.UPTIME_RUNS_KEEP_DAYS * dayMs)
  const sumsBefore = new Date(at - keptDays * dayMs)
  for (let left = maxBatches; left > 0 && (await deleteOldResults(db, runsBefore, batch)); left--);
  for (let left = maxBatches; left > 0 && (await deleteOldHours(db, sumsBefore, batch)); left--);
  await deleteOldIncidents(db, sumsBefore)
}
