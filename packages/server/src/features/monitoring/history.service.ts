import type { MetricRange, ProjectMetric } from '@panel/contract/monitoring'
import type { Dependencies } from '../../dependencies.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { windowOf } from './history.policy.ts'
import { listDiskUsage, listProjectMetrics, listSnapshots } from './monitoring.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'nodeId' | 'now'>

export const serverHistory = ({ db, nodeId, now }: Deps, range: MetricRange): Promise<string> =>
  listSnapshots(db, nodeId, windowOf(range, now()))

/** What was used on the disk of the panel in the last `days`. */
export const diskUsageSince = ({ db, nodeId, now }: Deps, days: number) =>
  listDiskUsage(db, nodeId, new Date(now().getTime() - days * 24 * 3600_000))

export async function projectHistory(
  { db, now }: Deps,
  userId: string,
  projectId: string,
  range: MetricRange
): Promise<ProjectMetric[]> {
  await getOwnProject(db, projectId, userId)
  const window = windowOf(range, now())
  return listProjectMetrics(db, projectId, { ...window, minutes: Math.max(window.minutes, window.kept) })
}
