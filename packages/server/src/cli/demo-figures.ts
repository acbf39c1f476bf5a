import { totalmem } from 'node:os'
import { statfs } from 'node:fs/promises'
import type { Dependencies } from '../dependencies.ts'
import { saveSnapshot } from '../features/monitoring/monitoring.repository.ts'
import { saveTraffic } from '../features/traffic/traffic.repository.ts'
import { noTimes, packTimes, stepOf } from '../time/response-times.policy.ts'
import { sites } from './demo-sites.ts'

const dayMs = 24 * 3_600_000
const minuteMs = 60_000
const quarterMs = 15 * minuteMs

/** Invented figures of the last 24 hours: quiet at night, busiest in the afternoon. */
export async function addFigures(deps: Dependencies, projectIds: ReadonlyMap<string, string>): Promise<void> {
  // Up to the present, so that the charts continue without a gap.
  const end = Math.floor(deps.now().getTime() / minuteMs) * minuteMs
  const times = Array.from({ length: dayMs / quarterMs }, (_, index) => new Date(end - index * quarterMs))
  await addTraffic(deps, projectIds, times)
  await addServerHistory(deps, times)
}

const shareAt = (at: Date) => 0.15 + 0.85 * Math.max(0, Math.sin(((at.getUTCHours() - 6) / 16) * Math.PI))

/** Between 0.9 and 1.1. */
const noise = () => 0.9 + 0.2 * Math.random()

async function addTraffic(
  { db, nodeId, config }: Dependencies,
  projectIds: ReadonlyMap<string, string>,
  quarters: readonly Date[]
): Promise<void> {
  for (const at of quarters) {
    const counted = sites.flatMap(({ name, busiest, typicalMs, errors }) => {
      const requests = Math.round((busiest / 4) * shareAt(at) * noise())
      if (requests === 0) return []
      const times = noTimes()
      times[stepOf(typicalMs)] = Math.round(requests * 0.8)
      times[stepOf(typicalMs * 3)] = requests - Math.round(requests * 0.8)
      return [
        {
          site: projectIds.get(name)!,
          requests,
          clientErrors: Math.round(requests / 50),
          serverErrors: Math.round((requests * errors) / 1_000),
          bytesIn: requests * 600,
          bytesOut: requests * 18_000,
          milliseconds: requests * typicalMs,
          times: packTimes(times)
        }
      ]
    })
    const batch = { id: `demo-${at.getTime()}`, at, sites: counted, lost: 0 }
    await saveTraffic(db, batch, { nodeId, namedSites: config.METRICS_SITES })
  }
}

/** The machine's own sizes, with invented usage. */
async function addServerHistory({ db, nodeId, config }: Dependencies, quarters: readonly Date[]): Promise<void> {
  const { blocks, bfree, bsize } = await statfs(config.DATA_DIR)
  const [ramTotal, diskTotal] = [totalmem(), blocks * bsize]
  for (const recordedAt of quarters) {
    const share = shareAt(recordedAt)
    await db.transaction((trx) =>
      saveSnapshot(trx, {
        nodeId,
        recordedAt,
        cpuPercent: 4 + 30 * share * noise(),
        ramUsed: Math.round(ramTotal * (0.3 + 0.1 * share * noise())),
        ramTotal,
        diskUsed: diskTotal - bfree * bsize,
        diskTotal,
        networkReceived: Math.round(90_000 * share * noise()),
        networkSent: Math.round(900_000 * share * noise())
      })
    )
  }
}
