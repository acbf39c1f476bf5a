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
        summary: 'Start, stop, restart or remove the container; remove also destroys its volumes',
        description:
          '`stop` also keeps the container stopped: visitors get a page that says so until `start`, a build or a deployment. `restart` sends SIGTERM ' +
          'and waits 10 seconds. `remove` takes the container and its volumes; what is in /data, the image and the project stay.',
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
        summary: 'Status from the container engine',
        description: 'In the engine’s words (`running`, `exited`, …); null where nothing is deployed.',
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
        summary: 'Last lines of stdout and stderr',
        description:
          'To follow it, say `subscribe:container-log` `{projectId, tail, since}` on the live channel. `container:log` has `{projectId, containerId, text, next}`, ' +
          'acknowledged each: no more is read before; with `since` = the last `next` it goes on there. Colours are kept. `container:log-state` has `{projectId, ' +
          'containerId, state}`: FOLLOWING, also of a container that takes its place, STOPPED, CONTAINER_MISSING or CONTAINER_ENGINE_UNAVAILABLE, which are waited for.',
        params,
        querystring: LogQuery,
        errors: ['CONFLICT', 'CONTAINER_MISSING', 'CONTAINER_ENGINE_UNAVAILABLE'],
        response: { 200: Logs }
      }
    },
    async (request) => ({
      logs: await containerLogs(deps, sessionOf(request).userId, request.params.id, request.query.tail)
    })
  )
}
