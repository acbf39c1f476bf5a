import type { LogQuery } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { findProject } from '../projects/project-access.ts'
import { containerName, workerKey } from './container-spec.policy.ts'

export type LogSource = { projectId: string } & Pick<LogQuery, 'process' | 'instance'>

/** The one container that a live log follows: of a site with instances the first one. */
export async function findLogContainer(
  deps: Pick<Dependencies, 'db' | 'engine' | 'instanceId'>,
  source: LogSource
): Promise<string | null> {
  if (source.process === undefined) return (await findProject(deps.db, source.projectId))?.containerId ?? null
  const { projectId, process, instance } = source
  const found = await deps.engine.findContainer(containerName(deps.instanceId, workerKey(projectId, process, instance)))
  return found?.id ?? null
}
