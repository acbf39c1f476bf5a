import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { CreateScheduledJob, Run, ScheduledJob, ScheduledJobList, ScheduledJobQuery, UpdateScheduledJob } from '@panel/contract/runs' // oxfmt-ignore
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import {
  createScheduledJob,
  removeScheduledJob,
  runNow,
  showScheduledJob,
  showScheduledJobs,
  updateScheduledJobSettings
} from './scheduled-jobs.service.ts'

const config = { access: sessionAccess }
const tags = ['Scheduled jobs']
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const jobParams = params.extend({ jobId: Id.meta({ description: 'The scheduled job.' }) })
const base = '/api/projects/:id/scheduled-jobs'
const one = `${base}/:jobId`

export function scheduledJobRoutes(app: App, deps: Dependencies): void {
  app.get(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'listScheduledJobs',
        summary: 'List the scheduled jobs of a project with their next and last run',
        description: 'Oldest first.',
        params,
        querystring: ScheduledJobQuery,
        response: { 200: ScheduledJobList }
      }
    },
    async (request) => showScheduledJobs(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.post(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'createScheduledJob',
        summary: 'Create a scheduled job',
        description:
          'It runs in a new container of the live release, within seconds of its time. Each time runs once, whatever happens to the panel or the clock; of the times that passed while ' +
          'the panel was not running, only the latest runs. It is skipped while the project is stopped or not deployed. The owner is notified when a run fails after a good one. ' +
          'SCHEDULED_JOBS_PER_ACCOUNT limits the number of jobs.',
        params,
        body: CreateScheduledJob,
        errors: ['QUOTA_EXCEEDED'],
        response: { 201: ScheduledJob }
      }
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createScheduledJob(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getScheduledJob',
        summary: 'Get a scheduled job',
        description: 'With its next and last run.',
        params: jobParams,
        response: { 200: ScheduledJob }
      }
    },
    async (request) => showScheduledJob(deps, sessionOf(request).userId, keyOf(request.params))
  )
  app.patch(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'updateScheduledJob',
        summary: 'Change, enable or disable a scheduled job',
        description: 'A run in progress is not affected.',
        params: jobParams,
        body: UpdateScheduledJob,
        response: { 200: ScheduledJob }
      }
    },
    async (request) =>
      updateScheduledJobSettings(deps, request, sessionOf(request).userId, keyOf(request.params), request.body)
  )
  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteScheduledJob',
        summary: 'Delete a scheduled job and its history',
        description: 'A run in progress is stopped.',
        params: jobParams,
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeScheduledJob(deps, request, sessionOf(request).userId, keyOf(request.params))
      return reply.status(204).send(null)
    }
  )
  app.post(
    `${one}/run`,
    {
      config,
      schema: {
        tags,
        operationId: 'runScheduledJob',
        summary: 'Run a scheduled job now',
        description: 'Also while it is disabled. Follows its overlap policy; with SKIP it is refused while it runs.',
        params: jobParams,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'CONTAINER_MISSING'],
        response: { 202: Run }
      }
    },
    async (request, reply) =>
      reply.status(202).send(await runNow(deps, request, sessionOf(request).userId, keyOf(request.params)))
  )
}

const keyOf = ({ id, jobId }: { id: string; jobId: string }) => ({ projectId: id, jobId })
