import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLive } from '../../live/use-live.ts'
import { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { followDeploymentLog } from './deployment-log.ts'
import { firstPieceQuery } from './deployments.queries.ts'

/** The log of one deployment, as it grows. */
export function useDeploymentLog(projectId: string, deploymentId: string): LogBuffer {
  const client = useQueryClient()
  const { live } = useLive()
  const [buffer] = useState(() => new LogBuffer())
  useEffect(() => {
    buffer.clear()
    const first = client.fetchQuery(firstPieceQuery(projectId, deploymentId))
    return followDeploymentLog({ live, position: { projectId, deploymentId }, first, buffer })
  }, [client, live, projectId, deploymentId, buffer])
  return buffer
}
