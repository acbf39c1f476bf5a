import { api, data } from '../../api/client.ts'
import type { Deployment } from './deployments.queries.ts'

/** How to redeploy: a live deployment by its image, a failed or cancelled one as before. */
export function againBy({ active, canRollback, status, trigger }: Deployment): 'deploy' | 'build' | undefined {
  if (active) return canRollback ? 'deploy' : 'build'
  if (status !== 'FAILED' && status !== 'CANCELLED') return undefined
  // A failed rollback can be selected again in the history.
  return trigger === 'ROLLBACK' ? undefined : trigger === 'DEPLOY' ? 'deploy' : 'build'
}

/**
 * Deploys the latest image with the current variables. Responds when it is live, or with the reason for the failure.
 */
export const deployAgain = (id: string) => data(api.POST('/api/projects/{id}/deploy', { params: { path: { id } } }))

export const operate = (id: string, deploymentId: string, operation: 'cancel' | 'rollback') =>
  data(
    api.POST(`/api/projects/{id}/deployments/{deploymentId}/${operation}`, { params: { path: { id, deploymentId } } })
  )
