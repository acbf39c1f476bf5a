import { useEffect, useState } from 'react'
import { useLive } from '../../live/use-live.ts'
import { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { followDeploymentLog } from './deployment-log.ts'

/** The log of one deployment, as it grows. */
export function useDeploymentLog(projectId: string, deploymentId: string): LogBuffer {
  const { live } = useLive()
  const [buffer] = useState(() => new LogBuffer())
  useEffect(() => {
    buffer.clear()
    return followDeploymentLog(live, { projectId, deploymentId }, buffer)
  }, [live, projectId, deploymentId, buffer])
  return buffer
}
