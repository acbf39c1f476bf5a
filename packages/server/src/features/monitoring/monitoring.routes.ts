import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  ContainerMetric,
  MetricRangeQuery,
  MetricSnapshot,
  ProjectMetric,
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
        summary: 'The load of the server now',
        description:
          'Rates are of the last seconds. What cannot be read is null. Network counts what passes the interfaces of default routes, so that traffic of containers is not counted twice.',
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
        summary: 'What your containers use now; for an ADMIN those of all accounts',
        description: 'Of those that run and serve a project. It does not ask the container engine.',
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
        summary: 'The load of the server over time, in the order of time',
        description:
          'A snapshot each minute, kept 30 days. Over 7d a point is the mean of 10 minutes, over 30d of 30; its id is that of its last snapshot. Where nothing was recorded there is no point.',
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
        summary: 'What the project’s container has used over time, in the order of time',
        description:
          'A point for each minute, over 7d for 15 minutes and over 30d for 30. Where no container ran there is no point.',
        params: z.object({ id: Id }),
        querystring: MetricRangeQuery,
        response: { 200: z.array(ProjectMetric) }
      }
    },
    async (request) => projectHistory(deps, sessionOf(request).userId, request.params.id, request.query.range)
  )
}
