import type { PanelEvent } from '../../infra/event-bus/event-bus.ts'

/** Whether more of a log may be there, or its end. Of many deployments at once their account hears without their ids. */
export function isAboutLog(
  { to, name, data }: PanelEvent,
  { deploymentId, userId }: { deploymentId: string; userId: string }
): boolean {
  if (name === 'deployment-log:grew' || name === 'deployment:status') return data.deploymentId === deploymentId
  const isOwn = typeof to === 'object' && to.userId === userId
  return name === 'changed' && data.type === 'deployment' && isOwn && (data.id === null || data.id === deploymentId)
}
