import type { DeploymentStatus, DeploymentTrigger } from '@panel/contract/deployments'

/** Every open state may fail and be cancelled; deployments of a kept image skip BUILDING. */
const moves = {
  QUEUED: ['BUILDING', 'DEPLOYING', 'FAILED', 'CANCELLED'],
  BUILDING: ['DEPLOYING', 'FAILED', 'CANCELLED'],
  DEPLOYING: ['RUNNING', 'FAILED', 'CANCELLED'],
  RUNNING: [],
  FAILED: [],
  CANCELLED: []
} as const satisfies Record<DeploymentStatus, readonly DeploymentStatus[]>

/** The states from which a move to `target` is allowed: what the compare-and-swap compares. */
export function sourcesOf(target: DeploymentStatus): DeploymentStatus[] {
  return (Object.keys(moves) as DeploymentStatus[]).filter((source) =>
    (moves[source] as readonly string[]).includes(target)
  )
}

/** A worker works on it. */
export const inFlightStatuses = ['BUILDING', 'DEPLOYING'] as const satisfies readonly DeploymentStatus[]

/**
 * Two queues, so that a rollback never waits behind builds. One is its name, the triggers it serves and the state in which
 * its work begins.
 */
export const deploymentQueues = {
  build: { name: 'deployments.build', triggers: ['MANUAL', 'WEBHOOK'], firstStatus: 'BUILDING' },
  image: { name: 'deployments.image', triggers: ['DEPLOY', 'ROLLBACK'], firstStatus: 'DEPLOYING' }
} as const satisfies Record<
  string,
  { name: string; triggers: readonly DeploymentTrigger[]; firstStatus: DeploymentStatus }
>

export type DeploymentQueue = keyof typeof deploymentQueues

export const queueOf = (trigger: DeploymentTrigger): DeploymentQueue =>
  deploymentQueues.image.triggers.some((other) => other === trigger) ? 'image' : 'build'
