import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Started } from './new-project.queries.ts'

/** Opens the first deployment of a new project, or the project page with the error. */
export function useStarted(): (started: Started) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async ({ projectId, deploymentId, problem }) => {
    await client.invalidateQueries({ queryKey: ['projects'] })
    if (problem !== undefined) notifications.show({ color: 'red', autoClose: false, message: problem, role: 'alert' })
    const params = { projectId }
    if (deploymentId === undefined) await navigate({ to: '/projects/$projectId', params })
    else await navigate({ to: '/projects/$projectId/deployments', params, search: { d: deploymentId } })
  }
}
