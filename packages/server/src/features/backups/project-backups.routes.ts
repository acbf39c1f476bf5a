import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ProjectBackupSettings } from '@panel/contract/backup-schedule'
import {
  Backup,
  BackupFiles,
  BackupFilesQuery,
  BackupList,
  BackupQuery,
  Restore,
  RestoreList,
  StartBackup,
  StartedBackups,
  StartRestore
} from '@panel/contract/backups'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import {
  browseBackup,
  showBackup,
  showProjectBackups,
  showRestores,
  startBackups,
  startRestore
} from './backups.service.ts'
import { changeProjectSettings, showProjectSettings } from './project-backup-settings.service.ts'
import { undoRestore } from './restore.jobs.ts'

const config = { access: sessionAccess }
const tags = ['Backups']
const params = z.object({ id: Id })
const backupParams = z.object({ id: Id, backupId: Id })
const restoreParams = z.object({ id: Id, restoreId: Id })

export function projectBackupRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/backups',
    {
      config,
      schema: {
        tags,
        operationId: 'listProjectBackups',
        summary: 'List the backups of a project, newest first',
        description: 'Of all targets. Poll while one is QUEUED or RUNNING.',
        params,
        querystring: BackupQuery,
        response: { 200: BackupList }
      }
    },
    async (request) => showProjectBackups(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.post(
    '/api/projects/:id/backups',
    {
      config,
      schema: {
        tags,
        operationId: 'startProjectBackup',
        summary: 'Back up a project now',
        description:
          'Contains the files of the project, its volumes, and the databases that are linked to it. The project keeps running.',
        params,
        body: StartBackup,
        errors: ['CONFLICT'],
        response: { 202: StartedBackups }
      }
    },
    async (request, reply) =>
      reply.code(202).send(
        await startBackups(deps, request, sessionOf(request).userId, {
          ...request.body,
          subject: 'PROJECT',
          projectId: request.params.id
        })
      )
  )
  app.get(
    '/api/projects/:id/backup-settings',
    {
      config,
      schema: {
        tags,
        operationId: 'getProjectBackupSettings',
        summary: 'Show when a project is backed up on its own and what is skipped',
        description: 'Besides these times, the schedule of the server applies.',
        params,
        response: { 200: ProjectBackupSettings }
      }
    },
    async (request) => showProjectSettings(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/projects/:id/backup-settings',
    {
      config,
      schema: {
        tags,
        operationId: 'changeProjectBackupSettings',
        summary: 'Change when a project is backed up on its own and what is skipped',
        description: 'Takes effect with the next backup. Databases are never skipped.',
        params,
        body: ProjectBackupSettings,
        response: { 200: ProjectBackupSettings }
      }
    },
    async (request) => changeProjectSettings(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.get(
    '/api/projects/:id/backups/:backupId',
    {
      config,
      schema: {
        tags,
        operationId: 'getProjectBackup',
        summary: 'Show a backup and its progress',
        description: '`progress` counts bytes of files and dumps while the backup is RUNNING.',
        params: backupParams,
        response: { 200: Backup }
      }
    },
    async (request) => showBackup(deps, sessionOf(request).userId, request.params.id, request.params.backupId)
  )
  app.get(
    '/api/projects/:id/backups/:backupId/files',
    {
      config,
      schema: {
        tags,
        operationId: 'listBackupFiles',
        summary: 'List a directory of a backup',
        description: 'Reads from the target, which takes seconds. Lists up to 1,000 entries.',
        params: backupParams,
        querystring: BackupFilesQuery,
        errors: ['CONFLICT', 'BUSY', 'BACKUP_TARGET_UNREACHABLE'],
        response: { 200: BackupFiles }
      }
    },
    async (request) =>
      browseBackup(deps, sessionOf(request).userId, request.params.id, request.params.backupId, request.query)
  )
  app.post(
    '/api/projects/:id/backups/:backupId/restore',
    {
      config,
      schema: {
        tags,
        operationId: 'restoreBackup',
        summary: 'Restore files or a database from a backup',
        description:
          'All files of a project are restored beside the current ones and take their place once they are complete; then the project is redeployed, and the ' +
          'previous files are kept for 7 days (`undoRestore`). A single file or directory is put into a new directory `restored-…` of the project. Volumes are restored one ' +
          'by one, in the same way. A database is ' +
          'restored into a new one beside the current one.',
        params: backupParams,
        body: StartRestore,
        errors: ['CONFLICT'],
        response: { 202: Restore }
      }
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(
          await startRestore(
            deps,
            request,
            sessionOf(request).userId,
            request.params.id,
            request.params.backupId,
            request.body
          )
        )
  )
  app.get(
    '/api/projects/:id/restores',
    {
      config,
      schema: {
        tags,
        operationId: 'listRestores',
        summary: 'List the latest restores of a project',
        description: 'The latest 50. Poll while one is QUEUED or RUNNING.',
        params,
        response: { 200: RestoreList }
      }
    },
    async (request) => showRestores(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/projects/:id/restores/:restoreId/undo',
    {
      config,
      schema: {
        tags,
        operationId: 'undoRestore',
        summary: 'Put the files from before a restore back',
        description: 'Possible until `undoUntil`. The project is redeployed.',
        params: restoreParams,
        errors: ['CONFLICT'],
        response: { 200: Restore }
      }
    },
    async (request) =>
      undoRestore(deps, request, sessionOf(request).userId, request.params.id, request.params.restoreId)
  )
}
