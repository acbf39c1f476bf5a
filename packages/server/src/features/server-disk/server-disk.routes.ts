import { DiskCleanup, DiskCleanupPreview, ServerDisk, StartDiskCleanup } from '@panel/contract/server-disk'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionOf } from '../../http/access.ts'
import { previewCleanup } from './cleanup.service.ts'
import { getServerDisk, requestMeasurement, startCleanup } from './server-disk.service.ts'

const tags = ['System']
const config = { access: requireRole('ADMIN') }

export function serverDiskRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/system/disk',
    {
      config,
      schema: {
        tags,
        operationId: 'getServerDisk',
        summary: 'What takes the room on the disks of this server, and when the disk will be full',
        description:
          'From the last measurement, which runs in the background. GET /api/monitoring/history has the usage over time.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 200: ServerDisk }
      }
    },
    async () => getServerDisk(deps)
  )
  app.post(
    '/api/system/disk/measure',
    {
      config,
      schema: {
        tags,
        operationId: 'measureServerDisk',
        summary: 'Measure the disks again',
        description:
          'Runs in the background at the lowest priority; `measuredAt` changes when it is done. Ignored within a minute of the last ' +
          'measurement, and longer on servers where measuring takes long.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 204: z.null() }
      }
    },
    async (_request, reply) => {
      await requestMeasurement(deps)
      return reply.code(204).send(null)
    }
  )
  app.get(
    '/api/system/disk/cleanup',
    {
      config,
      schema: {
        tags,
        operationId: 'previewDiskCleanup',
        summary: 'What a cleanup would remove now, by kind',
        description:
          'Removes nothing. No kind ever holds images of live releases or of releases that are kept for rollbacks, data of projects, ' +
          'databases, mail or volumes, or what a restore can undo.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 200: DiskCleanupPreview }
      }
    },
    async () => previewCleanup(deps)
  )
  app.post(
    '/api/system/disk/cleanup',
    {
      config,
      schema: {
        tags,
        operationId: 'startDiskCleanup',
        summary: 'Remove what the preview shows for these kinds',
        description:
          'Runs in the background; GET /api/system/disk has its progress. 409 CONFLICT while another cleanup runs.',
        body: StartDiskCleanup,
        errors: ['FORBIDDEN_ROLE', 'CONFLICT'],
        response: { 202: DiskCleanup }
      }
    },
    async (request, reply) =>
      reply.code(202).send(await startCleanup(deps, request, sessionOf(request).userId, request.body))
  )
}
