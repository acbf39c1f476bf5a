import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { DeploymentLog, followDeploymentLog } from './deployment-log.ts'
import { firstPieceQuery } from './deployments.queries.ts'

/** The log of one deployment, as it grows. How it begins is drawn with the page where the route has brought it already. */
export function useDeploymentLog(projectId: string, deploymentId: string): LogBuffer {
  const client = useQueryClient()
  const { live } = useLive()
  const log = useMemo(() => {
    const begun = new DeploymentLog()
    const first = client.getQueryData(firstPieceQuery(projectId, deploymentId).queryKey)
    if (first) begun.take(first)
    return begun
  }, [client, projectId, deploymentId])
  useEffect(() => {
    const first = () => client.fetchQuery(firstPieceQuery(projectId, deploymentId))
    return followDeploymentLog({ live, position: { projectId, deploymentId }, first, log })
  }, [client, live, projectId, deploymentId, log])
  return log.buffer
}
