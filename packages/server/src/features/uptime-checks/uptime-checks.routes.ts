import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  CreateUptimeCheck,
  UpdateUptimeCheck,
  UptimeCheck,
  UptimeCheckList,
  UptimeCheckQuery,
  UptimeIncidentList,
  UptimeIncidentQuery,
  UptimeResults,
  UptimeResultsQuery
} from '@panel/contract/uptime-checks'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { readIncidents, readResults } from './history.service.ts'
import {
  createUptimeCheck,
  deleteUptimeCheck,
  listUptimeChecks,
  readUptimeCheck,
  requestRun,
  updateUptimeCheck
} from './uptime-checks.service.ts'

const config = { access: sessionAccess }
const tags = ['Uptime']
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const checkParams = params.extend({ checkId: Id.meta({ description: 'The uptime check.' }) })
const base = '/api/projects/:id/uptime-checks'
const one = `${base}/:checkId`

export function uptimeCheckRoutes(app: App, deps: Dependencies): void {
  app.get(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'listUptimeChecks',
        summary: 'List the uptime checks of a project with their state and uptime',
        description:
          'A check requests a page of the project at regular intervals through the reverse proxy of this server, as a visitor would. `summary` covers all checks. Uptime is the share ' +
          'of the known time, by whole hours: a run counts for the time since the previous run, up to its interval. While a check is paused, or the panel or ' +
          'its proxy is unavailable, the state is unknown and not counted.',
        params,
        querystring: UptimeCheckQuery,
        response: { 200: UptimeCheckList }
      }
    },
    async (request) => listUptimeChecks(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.post(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'createUptimeCheck',
        summary: 'Create an uptime check for a site of the project',
        description:
          'Only for your own sites: the default hostname of the project or a verified domain that points to it, resolved again at each run. With https the certificate must ' +
          'match the name and be within its validity; its issuer is not checked. PAUSED while the project is stopped or not deployed, the account is ' +
          'suspended, or the name points elsewhere. UPTIME_CHECKS_PER_ACCOUNT limits the number of checks.',
        params,
        body: CreateUptimeCheck,
        errors: ['INVALID_TARGET', 'QUOTA_EXCEEDED'],
        response: { 201: UptimeCheck }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      return reply.status(201).send(await createUptimeCheck(deps, request, userId, request.params.id, request.body))
    }
  )
  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getUptimeCheck',
        summary: 'Get an uptime check',
        params: checkParams,
        response: { 200: UptimeCheck }
      }
    },
    async (request) => readUptimeCheck(deps, sessionOf(request).userId, keyOf(request.params))
  )
  app.patch(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'updateUptimeCheck',
        summary: 'Change or pause an uptime check',
        description: 'A change of what is requested resets the state to UNKNOWN; the history stays.',
        params: checkParams,
        body: UpdateUptimeCheck,
        errors: ['INVALID_TARGET'],
        response: { 200: UptimeCheck }
      }
    },
    async (request) => updateUptimeCheck(deps, request, sessionOf(request).userId, keyOf(request.params), request.body)
  )
  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteUptimeCheck',
        summary: 'Delete an uptime check and its history',
        params: checkParams,
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await deleteUptimeCheck(deps, request, sessionOf(request).userId, keyOf(request.params))
      return reply.status(204).send(null)
    }
  )
  app.get(
    `${one}/results`,
    {
      config,
      schema: {
        tags,
        operationId: 'readUptimeResults',
        summary: 'Get the history of an uptime check',
        description:
          'Time without data (panel unavailable, check paused) is not counted in `uptime`; it is `unknownSeconds`.',
        params: checkParams,
        querystring: UptimeResultsQuery,
        response: { 200: UptimeResults }
      }
    },
    async (request) =>
      readResults(deps, sessionOf(request).userId, { ...keyOf(request.params), range: request.query.range })
  )
  app.get(
    `${one}/incidents`,
    {
      config,
      schema: {
        tags,
        operationId: 'listUptimeIncidents',
        summary: 'List the outages of a site with their reasons, newest first',
        description: 'Kept for 95 days after their end.',
        params: checkParams,
        querystring: UptimeIncidentQuery,
        response: { 200: UptimeIncidentList }
      }
    },
    async (request) => readIncidents(deps, sessionOf(request).userId, { ...keyOf(request.params), ...request.query })
  )
  app.post(
    `${one}/run`,
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'runUptimeCheck',
        summary: 'Run an uptime check now',
        description: 'At most once in ten seconds. The result is in the check once `lastRunAt` changes.',
        params: checkParams,
        errors: ['CONFLICT', 'RATE_LIMITED'],
        response: { 202: Message }
      }
    },
    async (request, reply) => {
      await requestRun(deps, sessionOf(request).userId, keyOf(request.params))
      return reply.status(202).send({ message: 'The check runs within a few seconds' })
    }
  )
}

const keyOf = ({ id, checkId }: { id: string; checkId: string }) => ({ projectId: id, checkId })
