import type { PanelEvent } from '../../infra/event-bus/event-bus.ts'

/** Whether the log may have grown or ended. Events about many deployments go to the account without ids. */
export function isAboutLog(
  { to, name, data }: PanelEvent,
  { deploymentId, userId }: { deploymentId: string; userId: string }
): boolean {
  if (name === 'deployment-log:grew' || name === 'deployment:status') return data.deploymentId === deploymentId
  const isOwn = typeof to === 'object' && to.userId === userId
  return name === 'changed' && data.type === 'deployment' && isOwn && (data.id === null || data.id === deploymentId)
}
