import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { DiskUsage, DiskUsageDay, DiskUsageHistoryQuery } from '@panel/contract/disk-usage'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { diskUsageHistoryOf, diskUsageOf } from './disk-usage.service.ts'

const config = { access: sessionAccess }
const tags = ['Users']
const response = { 200: DiskUsage }

export function diskUsageRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/users/me/disk',
    {
      config,
      schema: {
        tags,
        operationId: 'getOwnDiskUsage',
        summary: 'Get your disk usage by kind, and your limit',
        description:
          'Measured periodically; each kind has its own time. Lists containers that are close to their write limit.',
        errors: ['ACCOUNT_SUSPENDED', 'NOT_FOUND'],
        response
      }
    },
    async (request) => diskUsageOf(deps, sessionOf(request).userId, sessionOf(request).userId)
  )
  app.get(
    '/api/users/:id/disk',
    {
      config,
      schema: {
        tags,
        operationId: 'getDiskUsage',
        summary: 'Get the disk usage of an account: your own or a sub-account’s; for an ADMIN any',
        params: z.object({ id: Id }),
        errors: ['ACCOUNT_SUSPENDED'],
        response
      }
    },
    async (request) => diskUsageOf(deps, sessionOf(request).userId, request.params.id)
  )
  app.get(
    '/api/users/:id/disk-usage/history',
    {
      config,
      schema: {
        tags,
        operationId: 'listDiskUsageHistory',
        summary: 'List the daily disk usage of an account by kind, including databases and mail',
        params: z.object({ id: Id }),
        querystring: DiskUsageHistoryQuery,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: z.array(DiskUsageDay) }
      }
    },
    async (request) => diskUsageHistoryOf(deps, sessionOf(request).userId, request.params.id, request.query.days)
  )
}
