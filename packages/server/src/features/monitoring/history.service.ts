import type { MetricRange, ProjectMetric, ProjectMetricQuery } from '@panel/contract/monitoring'
import type { Dependencies } from '../../dependencies.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { windowOf } from './history.policy.ts'
import { listDiskUsage, listSnapshots } from './monitoring.repository.ts'
import { listProjectUsage, listWorkerUsage } from './usage-series.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'nodeId' | 'now'>

export const serverHistory = ({ db, nodeId, now }: Deps, range: MetricRange): Promise<string> =>
  listSnapshots(db, nodeId, windowOf(range, now()))

/** What was used on the disk of the panel in the last `days`. */
export const diskUsageSince = ({ db, nodeId, now }: Deps, days: number) =>
  listDiskUsage(db, nodeId, new Date(now().getTime() - days * 24 * 3600_000))

/** Of the site, or of one of its workers; of all instances together. */
export async function projectHistory(
  { db, now }: Deps,
  userId: string,
  projectId: string,
  { range, process }: ProjectMetricQuery
): Promise<ProjectMetric[]> {
  await getOwnProject(db, projectId, userId)
  const { minutes, ...window } = windowOf(range, now())
  const points = { ...window, minutes: Math.max(minutes, window.kept) }
  return process === undefined
    ? listProjectUsage(db, projectId, points)
    : listWorkerUsage(db, { projectId, process }, points)
}
