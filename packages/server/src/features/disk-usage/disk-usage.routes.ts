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
        summary: 'What you have on the disk, by kind, and how much you may have',
        description:
          'Measured from time to time, each kind with when. Containers that come near what they may write of their own are listed.',
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
        summary: 'What an account has on the disk: an ADMIN of any, others of themselves and those below them',
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
        summary: 'What an account had on the disk on each day, by kind: databases and mail too',
        params: z.object({ id: Id }),
        querystring: DiskUsageHistoryQuery,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: z.array(DiskUsageDay) }
      }
    },
    async (request) => diskUsageHistoryOf(deps, sessionOf(request).userId, request.params.id, request.query.days)
  )
}
