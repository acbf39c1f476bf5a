import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { Run, RunList, RunOutput, RunOutputQuery, RunQuery, StartCommand } from '@panel/contract/runs'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { showOutput, showRun, showRuns, startCommand, stopRun } from './runs.service.ts'

const config = { access: sessionAccess }
const tags = ['Runs']
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const runParams = params.extend({ runId: Id.meta({ description: 'The run.' }) })
const base = '/api/projects/:id/runs'
const one = `${base}/:runId`

export function runRoutes(app: App, deps: Dependencies): void {
  app.get(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'listRuns',
        summary: 'List the runs of scheduled jobs and one-off commands, newest first',
        description: 'The latest 100 of each scheduled job and the latest 100 one-off commands are kept.',
        params,
        querystring: RunQuery,
        response: { 200: RunList }
      }
    },
    async (request) => showRuns(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.post(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'startCommand',
        summary: 'Run a command in a new container of the live release',
        description:
          'The container has the variables, files, network, user and limits of the project, and is removed when the command ends. A redeployment does not stop it. ' +
          'At most RUNS_PER_ACCOUNT runs of an account run at the same time; others wait.',
        params,
        body: StartCommand,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'CONTAINER_MISSING'],
        response: { 202: Run }
      }
    },
    async (request, reply) =>
      reply
        .status(202)
        .send(await startCommand(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getRun',
        summary: 'Get a run',
        description:
          'Poll while it is QUEUED or RUNNING, or listen to `changed` with the type `run` on the live channel.',
        params: runParams,
        response: { 200: Run }
      }
    },
    async (request) => showRun(deps, sessionOf(request).userId, keyOf(request.params))
  )
  app.get(
    `${one}/output`,
    {
      config,
      schema: {
        tags,
        operationId: 'readRunOutput',
        summary: 'Read the output of a run, also while it runs',
        description: 'Repeat with `next` as `after` until `isComplete`.',
        params: runParams,
        querystring: RunOutputQuery,
        response: { 200: RunOutput }
      }
    },
    async (request) => showOutput(deps, sessionOf(request).userId, keyOf(request.params), request.query)
  )
  app.post(
    `${one}/stop`,
    {
      config,
      schema: {
        tags,
        operationId: 'stopRun',
        summary: 'Stop a run',
        description: 'Sends SIGTERM, and SIGKILL after 10 seconds. A waiting run ends at once.',
        params: runParams,
        errors: ['CONFLICT'],
        response: { 202: Run }
      }
    },
    async (request, reply) =>
      reply.status(202).send(await stopRun(deps, request, sessionOf(request).userId, keyOf(request.params)))
  )
}

const keyOf = ({ id, runId }: { id: string; runId: string }) => ({ projectId: id, runId })
