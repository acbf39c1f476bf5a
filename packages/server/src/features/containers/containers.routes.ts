import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ContainerAction, ContainerActionResult, ContainerStatus, LogQuery, Logs } from '@panel/contract/deployments'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { operateContainer, containerLogs, containerStatus } from './containers.service.ts'

const config = { access: sessionAccess }
const deployConfig = { ...config, scope: 'deploy' } as const
const tags = ['Containers']
const params = z.object({ id: Id })

export function containerRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/projects/:id/container/:action',
    {
      config: { ...deployConfig, admission: 'apart' },
      schema: {
        tags,
        operationId: 'controlContainer',
        summary: 'Start, stop, restart or remove the container',
        description:
          '`stop` keeps the container stopped and shows visitors a notice until `start`, a build or a deployment. `restart` sends SIGTERM ' +
          'and waits 10 seconds. `remove` deletes the container, and named volumes of the engine from earlier versions, but keeps /data, the volumes of the project, the image and the project.',
        params: z.object({ id: Id, action: ContainerAction }),
        errors: [
          'ACCOUNT_SUSPENDED',
          'CONFLICT',
          'CONTAINER_MISSING',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'REVERSE_PROXY_UNAVAILABLE'
        ],
        response: { 200: ContainerActionResult }
      }
    },
    async (request) =>
      operateContainer(deps, request, sessionOf(request).userId, request.params.id, request.params.action)
  )
  app.get(
    '/api/projects/:id/container/status',
    {
      config,
      schema: {
        tags,
        operationId: 'getContainerStatus',
        summary: 'Get the container status',
        description: 'As reported by the engine (`running`, `exited`, …); null if nothing is deployed.',
        params,
        errors: ['CONTAINER_ENGINE_UNAVAILABLE'],
        response: { 200: ContainerStatus }
      }
    },
    async (request) => containerStatus(deps, sessionOf(request).userId, request.params.id)
  )
  app.get(
    '/api/projects/:id/logs',
    {
      config,
      schema: {
        tags,
        operationId: 'getContainerLogs',
        summary: 'Get the last lines of stdout and stderr',
        description:
          'To follow the log, send `subscribe:container-log` `{projectId, process, instance, tail, since}` on the live channel. Acknowledge each `container:log` `{projectId, process, instance, containerId, ' +
          'text, next}` to receive the next one; pass the last `next` as `since` to resume. ANSI colors are kept. `container:log-state` `{projectId, containerId, ' +
          'state}` is FOLLOWING (also for a replacement container), STOPPED, CONTAINER_MISSING or CONTAINER_ENGINE_UNAVAILABLE; the stream waits for the container to return.',
        params,
        querystring: LogQuery,
        errors: ['CONFLICT', 'CONTAINER_MISSING', 'CONTAINER_ENGINE_UNAVAILABLE'],
        response: { 200: Logs }
      }
    },
    async (request) => ({
      logs: await containerLogs(deps, sessionOf(request).userId, request.params.id, request.query)
    })
  )
}
