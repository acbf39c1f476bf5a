import type { Dependencies } from '../../dependencies.ts'
import type { HostReading } from '../../infra/host-metrics/host-metrics.ts'
import { monotonicMs } from '../../time/monotonic-clock.ts'
import { messageOf } from '../../text/message-of.ts'
import { onEachMachine } from '../nodes/on-machine.service.ts'
import { readContainers } from './container-reading.service.ts'
import { keepCounters, takeCounters } from './counters.repository.ts'
import { keptDays, minuteOf, snapshotDays } from './history.policy.ts'
import { containersMinute, countersOfHost, hostMinute, isLate } from './minute.policy.ts'
import { deleteSnapshots, saveSnapshot } from './monitoring.repository.ts'
import { listRunning, listRunningWorkers } from './running-containers.service.ts'
import { followThresholds } from './thresholds.service.ts'
import {
  deleteUsageBefore,
  rollUp,
  saveProjectMinutes,
  saveWorkerMinutes,
  type UsagePoint,
  usageSeries
} from './usage-series.repository.ts'

/** Records a snapshot of the machine and a row per project and worker, and evaluates alert thresholds. */
export async function recordMinute(deps: Dependencies): Promise<void> {
  const host = await deps.hostMetrics.readHost(deps.config.DATA_DIR)
  const at = deps.now()
  await recordHost(deps, host, at)
  for (const kind of ['containers', 'workers'] as const)
    await onEachMachine(deps, (there) => recordContainers(there, kind, host, at)).catch((error: unknown) =>
      deps.logger.warn({ error: messageOf(error) }, `metrics of ${kind}`)
    )
}

async function recordHost(deps: Dependencies, host: HostReading, at: Date): Promise<void> {
  const { db, nodeId } = deps
  const { memory, disk, loadAverage, uptimeSeconds } = host
  await db.transaction(async (trx) => {
    const before = await takeCounters(trx, nodeId, 'host')
    if (isLate(before, host)) return
    const used = {
      ramUsed: memory?.used ?? null,
      ramTotal: memory?.total ?? null,
      diskUsed: disk?.used ?? null,
      diskTotal: disk?.total ?? null
    }
    const { cpuPercent, ...network } = hostMinute(before, host)
    await saveSnapshot(trx, {
      nodeId,
      cpuPercent,
      ...used,
      ...network,
      loadAverage: loadAverage ? [...loadAverage] : null,
      uptimeSeconds: uptimeSeconds ?? null,
      recordedAt: minuteOf(at)
    })
    await followThresholds(deps, trx, { cpuPercent, ...used, timestamp: at.toISOString() })
    await keepCounters(trx, nodeId, { host: countersOfHost(host) })
  })
}

/** Workers are listed by the engine: one that hangs must not cost the sites their minute. */
const kinds = {
  containers: { list: listRunning, save: saveProjectMinutes },
  workers: { list: listRunningWorkers, save: saveWorkerMinutes }
}

/** `bootId` is that of the clock, which is the panel's. */
async function recordContainers(deps: Dependencies, kind: keyof typeof kinds, { bootId }: HostReading, at: Date) {
  const { db, nodeId } = deps
  const rows: readonly RunningContainer[] = await kinds[kind].list(deps)
  const ids = rows.map(({ containerId }) => containerId)
  const now = { bootId, atMs: monotonicMs(), byId: await readContainers(deps, ids) }
  await db.transaction(async (trx) => {
    const before = await takeCounters(trx, nodeId, kind)
    if (isLate(before, now)) return
    const { used, counters } = containersMinute(before, now, ids)
    const points = rows.flatMap(({ containerId, projectId, process }): UsagePoint[] => {
      const minute = used.get(containerId)
      if (!minute) return []
      const { cpuPercent, traffic } = minute
      return [
        {
          projectId,
          ...(process !== undefined && { process }),
          cpuPercent,
          ramUsed: now.byId.get(containerId)?.memoryUsed ?? null,
          networkReceived: traffic?.received ?? null,
          networkSent: traffic?.sent ?? null
        }
      ]
    })
    await kinds[kind].save(trx, nodeId, minuteOf(at), sumInstances(points))
    await keepCounters(trx, nodeId, { [kind]: counters })
  })
}

interface RunningContainer {
  containerId: string
  projectId: string
  process?: string
}

/** A site or worker may have several containers. */
function sumInstances(points: readonly UsagePoint[]): UsagePoint[] {
  const sums = new Map<string, UsagePoint>()
  const add = (one: number | null, other: number | null) => (one === null ? other : one + (other ?? 0))
  for (const point of points) {
    const key = `${point.projectId}/${point.process}`
    const sum = sums.get(key)
    sums.set(
      key,
      sum === undefined
        ? point
        : {
            ...point,
            cpuPercent: add(sum.cpuPercent, point.cpuPercent),
            ramUsed: add(sum.ramUsed, point.ramUsed),
            networkReceived: add(sum.networkReceived, point.networkReceived),
            networkSent: add(sum.networkSent, point.networkSent)
          }
    )
  }
  return [...sums.values()]
}

/** Rolls up old rows and deletes expired ones. */
export async function condenseMetrics({ db, now }: Pick<Dependencies, 'db' | 'now'>): Promise<void> {
  const until = now()
  const before = (days: number) => new Date(until.getTime() - days * 24 * 3_600_000)
  for (const series of usageSeries) {
    await rollUp(db, series, { from: 1, to: 15, until })
    await rollUp(db, series, { from: 15, to: 1440, until })
    for (const [minutes, days] of Object.entries(keptDays))
      await deleteUsageBefore(db, series, Number(minutes), before(days))
  }
  await deleteSnapshots(db, before(snapshotDays))
}
