import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../message-of.ts'
import { keptDays, minuteOf, snapshotDays } from './history.policy.ts'
import {
  deleteProjectMetrics,
  deleteSnapshots,
  listContainers,
  type ProjectPoint,
  rollUp,
  saveProjectMinutes,
  saveSnapshot
} from './monitoring.repository.ts'
import { containerPercent, trafficBetween, trafficPerSecond } from './rates.policy.ts'
import { readContainerPairs, readHostPair, serverView } from './reading.service.ts'
import { followThresholds } from './thresholds.service.ts'

/** A snapshot of the machine and a row for each project, and what follows from them. */
export async function recordMinute(deps: Dependencies): Promise<void> {
  const { db, nodeId } = deps
  const pair = await readHostPair(deps, 'minute')
  const { cpuPercent, ramUsed, ramTotal, diskUsed, diskTotal, timestamp } = serverView(deps, pair)
  const traffic = trafficPerSecond(pair.before, pair.now)
  const network = { networkReceived: traffic?.received ?? null, networkSent: traffic?.sent ?? null }
  const recordedAt = minuteOf(new Date(timestamp))
  await db.transaction(async (trx) => {
    await saveSnapshot(trx, { nodeId, cpuPercent, ramUsed, ramTotal, diskUsed, diskTotal, ...network, recordedAt })
    await followThresholds(deps, trx, { cpuPercent, ramUsed, ramTotal, diskUsed, diskTotal, timestamp })
  })
  await recordProjects(deps, recordedAt).catch((error: unknown) =>
    deps.logger.warn({ error: messageOf(error) }, 'figures of projects')
  )
}

async function recordProjects(deps: Dependencies, recordedAt: Date): Promise<void> {
  const { before, now } = await readContainerPairs(deps, 'minute')
  const rows = await listContainers(deps.db, { nodeId: deps.nodeId })
  const points = rows.flatMap(({ containerId, projectId }): ProjectPoint[] => {
    const [first, last] = [before?.byId.get(containerId), now.byId.get(containerId)]
    if (!last) return []
    const traffic = trafficBetween(first?.network, last.network)
    return [
      {
        projectId,
        cpuPercent: containerPercent(first, last),
        ramUsed: last.memoryUsed ?? null,
        networkReceived: traffic?.received ?? null,
        networkSent: traffic?.sent ?? null
      }
    ]
  })
  await saveProjectMinutes(deps.db, deps.nodeId, recordedAt, points)
}

/** Means over longer times, and the end of what is kept long enough. */
export async function condenseMetrics({ db, now }: Pick<Dependencies, 'db' | 'now'>): Promise<void> {
  const until = now()
  const before = (days: number) => new Date(until.getTime() - days * 24 * 3_600_000)
  await rollUp(db, { from: 1, to: 15, until })
  await rollUp(db, { from: 15, to: 1440, until })
  await deleteSnapshots(db, before(snapshotDays))
  for (const [minutes, days] of Object.entries(keptDays)) await deleteProjectMetrics(db, Number(minutes), before(days))
}
