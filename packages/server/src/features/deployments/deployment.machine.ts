import type { DeploymentStatus, DeploymentTrigger } from '@panel/contract/deployments'

/** Deployments of a kept image skip BUILDING. */
const moves = {
  QUEUED: ['BUILDING', 'DEPLOYING', 'FAILED', 'CANCELLED'],
  BUILDING: ['DEPLOYING', 'FAILED', 'CANCELLED'],
  DEPLOYING: ['RUNNING', 'FAILED', 'CANCELLED'],
  RUNNING: [],
  FAILED: [],
  CANCELLED: []
} as const satisfies Record<DeploymentStatus, readonly DeploymentStatus[]>

/** The states that may move to `target`, for the compare-and-swap. */
export function sourcesOf(target: DeploymentStatus): DeploymentStatus[] {
  return (Object.keys(moves) as DeploymentStatus[]).filter((source) =>
    (moves[source] as readonly string[]).includes(target)
  )
}

export const inFlightStatuses = ['BUILDING', 'DEPLOYING'] as const satisfies readonly DeploymentStatus[]

/** Two queues, so that a rollback never waits behind builds. */
export const deploymentQueues = {
  build: { name: 'deployments.build', triggers: ['MANUAL', 'WEBHOOK', 'UPLOAD', 'SNAPSHOT'] },
  image: { name: 'deployments.image', triggers: ['DEPLOY', 'ROLLBACK'] }
} as const satisfies Record<string, { name: string; triggers: readonly DeploymentTrigger[] }>

export type DeploymentQueue = keyof typeof deploymentQueues

export const queueOf = (trigger: DeploymentTrigger): DeploymentQueue =>
  deploymentQueues.image.triggers.some((other) => other === trigger) ? 'image' : 'build'
