import { z } from 'zod'
import { BackupDrill, BackupDrillList, StartBackupDrill } from '@panel/contract/backup-drills'
import { BackupQuery } from '@panel/contract/backups'
import { Id } from '@panel/contract/common'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRoleOrPermission, sessionAccess, sessionOf } from '../../http/access.ts'
import { showDrills, showProjectDrills, startDrill } from './drills.service.ts'

const config = { access: requireRoleOrPermission(['ADMIN'], 'canManageBackups') }
const tags = ['Backups']
const forbidden = 'FORBIDDEN_ROLE'

export function drillRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/backups/drills',
    {
      config,
      schema: {
        tags,
        operationId: 'listBackupDrills',
        summary: 'List the drills with backups of projects, newest first',
        description: 'Results are kept for a year. Poll while one is QUEUED or RUNNING.',
        querystring: BackupQuery,
        errors: [forbidden],
        response: { 200: BackupDrillList }
      }
    },
    async (request) => showDrills(deps, request.query)
  )
  app.post(
    '/api/backups/drills',
    {
      config,
      schema: {
        tags,
        operationId: 'startBackupDrill',
        summary: 'Restore a backup of a project into a temporary copy, start it and compare',
        description:
          'Takes the latest good backup of the project on one of its targets. Files and databases are restored beside the project and compared with the backup; then the live image ' +
          'of the project starts with them, without a route, and has to answer as after a deployment. Everything is removed afterwards. The site and the quotas of the account are ' +
          'not affected. One drill runs at a time: 409 CONFLICT while one is open.',
        body: StartBackupDrill,
        errors: [forbidden, 'NOT_FOUND', 'CONFLICT', 'DISK_FULL'],
        response: { 202: BackupDrill }
      }
    },
    async (request, reply) =>
      reply.code(202).send(await startDrill(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/projects/:id/backup-drills',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'listProjectBackupDrills',
        summary: 'List the drills with backups of a project, newest first',
        description:
          'Each restored a backup into a temporary copy, compared it and started it. Results are kept for a year.',
        params: z.object({ id: Id }),
        querystring: BackupQuery,
        response: { 200: BackupDrillList }
      }
    },
    async (request) => showProjectDrills(deps, sessionOf(request).userId, request.params.id, request.query)
  )
}
