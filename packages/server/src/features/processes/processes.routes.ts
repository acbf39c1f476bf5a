import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import { CreateProcess, ProcessList, ProcessName, ProcessQuery, ProjectProcess, UpdateProcess } from '@panel/contract/processes' // oxfmt-ignore
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { changeWorker, createProcess, removeProcess, restartProcess, showProcesses } from './processes.service.ts'

const config = { access: sessionAccess }
const deployConfig = { ...config, scope: 'deploy' } as const
const tags = ['Processes']
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const processParams = params.extend({ name: ProcessName })
const base = '/api/projects/:id/processes'
const one = `${base}/:name`

export function processRoutes(app: App, deps: Dependencies): void {
  app.get(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'listProcesses',
        summary: 'List the processes of a project',
        description:
          'web, release if there is one, then the workers by name. Processes come from the Procfile of the live release; its web and release commands apply unless the project has startCmd and releaseCmd. ' +
          'After a change, listen to `changed` with the type `process` on the live channel.',
        params,
        querystring: ProcessQuery,
        response: { 200: ProcessList }
      }
    },
    async (request) => showProcesses(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.post(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'createProcess',
        summary: 'Add a worker that is not in the Procfile',
        description:
          'It starts at once if the project is deployed. WORKERS_PER_ACCOUNT limits the instances of an account.',
        params,
        body: CreateProcess,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'QUOTA_EXCEEDED'],
        response: { 201: ProjectProcess }
      }
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createProcess(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.patch(
    one,
    {
      config: deployConfig,
      schema: {
        tags,
        operationId: 'updateProcess',
        summary: 'Scale a worker, or change its command, memory or CPU',
        description:
          'Takes effect without a build. Scaling starts and stops containers of the live release; other changes replace the containers: each gets SIGTERM, then SIGKILL after ' +
          '10 seconds, and is gone before its successor starts.',
        params: processParams,
        body: UpdateProcess,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'QUOTA_EXCEEDED'],
        response: { 200: ProjectProcess }
      }
    },
    async (request) => changeWorker(deps, request, sessionOf(request).userId, keyOf(request.params), request.body)
  )
  app.post(
    `${one}/restart`,
    {
      config: { ...deployConfig, admission: 'apart' },
      schema: {
        tags,
        operationId: 'restartProcess',
        summary: 'Restart a process',
        description: 'A worker gets new containers, with the current variables. web restarts its container.',
        params: processParams,
        errors: [
          'ACCOUNT_SUSPENDED',
          'CONFLICT',
          'CONTAINER_MISSING',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'REVERSE_PROXY_UNAVAILABLE'
        ],
        response: { 200: ProjectProcess }
      }
    },
    async (request) => restartProcess(deps, request, sessionOf(request).userId, keyOf(request.params))
  )
  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteProcess',
        summary: 'Delete a worker that is not in the Procfile',
        description: 'Stops its containers.',
        params: processParams,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await removeProcess(deps, request, sessionOf(request).userId, keyOf(request.params))
      return { message: 'Process deleted' }
    }
  )
}

const keyOf = ({ id, name }: { id: string; name: string }) => ({ projectId: id, name })
