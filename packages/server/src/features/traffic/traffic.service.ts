import type { MetricRange } from '@panel/contract/monitoring'
import type { Traffic } from '@panel/contract/traffic'
import type { Dependencies } from '../../dependencies.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { beginOf, trafficOf } from './traffic.policy.ts'
import { listTraffic } from './traffic.repository.ts'

export async function readTraffic(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  userId: string,
  projectId: string,
  range: MetricRange
): Promise<Traffic> {
  const project = await getOwnProject(db, projectId, userId)
  const end = now()
  return trafficOf(range, await listTraffic(db, project.id, beginOf(range, end), end))
}
