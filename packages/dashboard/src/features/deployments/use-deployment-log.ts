import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { DeploymentLog, followDeploymentLog } from './deployment-log.ts'
import { lastLinesQuery } from './deployments.queries.ts'

/** Uses the last lines from the route loader on first render. */
export function useDeploymentLog(projectId: string, deploymentId: string): LogBuffer {
  const client = useQueryClient()
  const { live } = useLive()
  const log = useMemo(() => {
    const started = new DeploymentLog()
    const last = client.getQueryData(lastLinesQuery(projectId, deploymentId).queryKey)
    if (last) started.begin(last)
    return started
  }, [client, projectId, deploymentId])
  useEffect(() => {
    const last = () => client.fetchQuery(lastLinesQuery(projectId, deploymentId))
    return followDeploymentLog({ live, position: { projectId, deploymentId }, last, log })
  }, [client, live, projectId, deploymentId, log])
  return log.buffer
}
