import type { LogQuery } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { findProject } from '../projects/project-access.ts'
import { containerName, workerKey } from './container-spec.policy.ts'

export type LogSource = { projectId: string } & Pick<LogQuery, 'process' | 'instance'>

/** The container of the site, or of one instance of a worker; null without one. */
export async function findLogContainer(
  { db, engine, instanceId }: Pick<Dependencies, 'db' | 'engine' | 'instanceId'>,
  { projectId, process, instance }: LogSource
): Promise<string | null> {
  if (process === undefined) return (await findProject(db, projectId))?.containerId ?? null
  return (await engine.findContainer(containerName(instanceId, workerKey(projectId, process, instance))))?.id ?? null
}
