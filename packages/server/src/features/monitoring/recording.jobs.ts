import type { Dependencies } from '../../dependencies.ts'
import type { HostReading } from '../../infra/host-metrics/host-metrics.ts'
import { monotonicMs } from '../../time/monotonic-clock.ts'
import { messageOf } from '../../text/message-of.ts'
import { readContainers } from './container-reading.service.ts'
import { keepCounters, takeCounters } from './counters.repository.ts'
import { keptDays, minuteOf, snapshotDays } from './history.policy.ts'
import { containersMinute, countersOfHost, hostMinute, isLate } from './minute.policy.ts'
import {
  deleteProjectMetrics,
  deleteSnapshots,
  rollUp,
  saveProjectMinutes,
  saveSnapshot
} from './monitoring.repository.ts'
import { listRunning } from './running-containers.service.ts'
import { followThresholds } from './thresholds.service.ts'

/** Records a snapshot of the machine and a row per project, and evaluates alert thresholds. */
export async function recordMinute(deps: Dependencies): Promise<void> {
  const host = await deps.hostMetrics.readHost(deps.config.DATA_DIR)
  const at = deps.now()
  await recordHost(deps, host, at)
  await recordProjects(deps, host, at).catch((error: unknown) =>
    deps.logger.warn({ error: messageOf(error) }, 'project metrics')
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

async function recordProjects(deps: Dependencies, { bootId }: HostReading, at: Date): Promise<void> {
  const { db, nodeId } = deps
  const rows = await listRunning(deps)
  const ids = rows.map(({ containerId }) => containerId)
  const now = { bootId, atMs: monotonicMs(), byId: await readContainers(deps, ids) }
  await db.transaction(async (trx) => {
    const before = await takeCounters(trx, nodeId, 'containers')
    if (isLate(before, now)) return
    const { used, counters } = containersMinute(before, now, ids)
    const points = rows.flatMap(({ containerId, projectId }) => {
      const minute = used.get(containerId)
      if (!minute) return []
      const { cpuPercent, traffic } = minute
      return [
        {
          projectId,
          cpuPercent,
          ramUsed: now.byId.get(containerId)?.memoryUsed ?? null,
          networkReceived: traffic?.received ?? null,
          networkSent: traffic?.sent ?? null
        }
      ]
    })
    await saveProjectMinutes(trx, nodeId, minuteOf(at), sumByProject(points))
    await keepCounters(trx, nodeId, { containers: counters })
  })
}

interface ProjectMinute {
  projectId: string
  cpuPercent: number | null
  ramUsed: number | null
  networkReceived: number | null
  networkSent: number | null
}

/** A project may have several containers. */
function sumByProject(points: readonly ProjectMinute[]): ProjectMinute[] {
  const sums = new Map<string, ProjectMinute>()
  const add = (one: number | null, other: number | null) => (one === null ? other : one + (other ?? 0))
  for (const point of points) {
    const sum = sums.get(point.projectId)
    sums.set(
      point.projectId,
      sum === undefined
        ? point
        : {
            projectId: point.projectId,
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
  await rollUp(db, { from: 1, to: 15, until })
  await rollUp(db, { from: 15, to: 1440, until })
  await deleteSnapshots(db, before(snapshotDays))
  for (const [minutes, days] of Object.entries(keptDays)) await deleteProjectMetrics(db, Number(minutes), before(days))
}
