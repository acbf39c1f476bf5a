import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  ContainerMetric,
  MetricRangeQuery,
  MetricSnapshot,
  ProjectMetric,
  ProjectMetricQuery,
  ServerMetrics
} from '@panel/contract/monitoring'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionAccess, sessionOf } from '../../http/access.ts'
import { sendJson } from '../../http/send-json.ts'
import { getVisibleAccount } from '../users/account-access.ts'
import { projectHistory, serverHistory } from './history.service.ts'
import { containerMetrics, serverMetrics } from './reading.service.ts'

const tags = ['Monitoring']
const adminConfig = { access: requireRole('ADMIN') }
const config = { access: sessionAccess }

export function monitoringRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/monitoring/server',
    {
      config: adminConfig,
      schema: {
        tags,
        operationId: 'getServerMetrics',
        summary: 'Get the current server load',
        description:
          'Rates cover the last few seconds. Unavailable values are null. Network counts the interfaces of the default routes only, so that container traffic is not counted twice.',
        response: { 200: ServerMetrics }
      }
    },
    async () => serverMetrics(deps)
  )
  app.get(
    '/api/monitoring/containers',
    {
      config,
      schema: {
        tags,
        operationId: 'listContainerMetrics',
        summary: 'List the current usage of your containers; for an ADMIN, of all accounts',
        description: 'Running containers that serve a project. Does not query the container engine.',
        response: { 200: z.array(ContainerMetric) }
      }
    },
    async (request) => {
      const { userId } = sessionOf(request)
      const { role } = await getVisibleAccount(deps.db, userId, userId)
      return (await containerMetrics(deps, role === 'ADMIN' ? undefined : userId)).map(({ metric }) => metric)
    }
  )
  app.get(
    '/api/monitoring/history',
    {
      config: { ...adminConfig, compressed: true },
      schema: {
        tags,
        operationId: 'listMetricSnapshots',
        summary: 'List the server load over time, oldest first',
        description:
          'One snapshot per minute, kept for 30 days. A point is the mean of 10 minutes for 7d and of 30 minutes for 30d; its id is that of its last snapshot. Times without snapshots have no point.',
        querystring: MetricRangeQuery,
        response: { 200: z.array(MetricSnapshot) }
      }
    },
    async (request, reply) => sendJson(reply, await serverHistory(deps, request.query.range))
  )
  app.get(
    '/api/projects/:id/metrics',
    {
      config: { ...config, compressed: true },
      schema: {
        tags,
        operationId: 'listProjectMetrics',
        summary: 'List the usage of a project’s containers over time, oldest first',
        description:
          'Of the site, or of one of its workers with `process`; of all instances together. One point per minute, per 15 minutes for 7d and ' +
          'per 30 minutes for 30d. Times without a running container have no point.',
        params: z.object({ id: Id }),
        querystring: ProjectMetricQuery,
        response: { 200: z.array(ProjectMetric) }
      }
    },
    async (request) => projectHistory(deps, sessionOf(request).userId, request.params.id, request.query)
  )
}
