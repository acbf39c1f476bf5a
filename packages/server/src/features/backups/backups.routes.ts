import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { BackupSchedule } from '@panel/contract/backup-schedule'
import {
  BackupList,
  BackupQuery,
  BackupTarget,
  BackupTargetList,
  ConfirmBackupKey,
  CreateBackupTarget,
  NewBackupTarget,
  StartedBackups,
  StartServerBackup
} from '@panel/contract/backups'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRoleOrPermission, sessionOf } from '../../http/access.ts'
import { showBackups, startBackups } from './backups.service.ts'
import { changeSchedule, readSchedule } from './schedule.service.ts'
import { addTarget, confirmTarget, removeTarget, showTargets } from './targets.service.ts'

const config = { access: requireRoleOrPermission(['ADMIN'], 'canManageBackups') }
const tags = ['Backups']
const params = z.object({ id: Id })
const forbidden = 'FORBIDDEN_ROLE'

/** For the server as a whole. An account with the permission can store a copy of everything on its own target. */
export function backupRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/backups/targets',
    {
      config,
      schema: {
        tags,
        operationId: 'listBackupTargets',
        summary: 'List backup targets',
        description: 'With the latest good backup and the latest problem of each. Secrets are never returned.',
        errors: [forbidden],
        response: { 200: BackupTargetList }
      }
    },
    async () => showTargets(deps)
  )
  app.post(
    '/api/backups/targets',
    {
      config,
      schema: {
        tags,
        operationId: 'createBackupTarget',
        summary: 'Add a backup target: a folder, SFTP, S3-compatible storage or a REST server',
        description:
          'Creates an encrypted restic repository there and returns its key, once. Backups start after the key was confirmed with `confirmBackupTarget`. ' +
          'The permission canManageBackups gives access to the data of every account, because a new target receives the backups of all projects. ' +
          'The panel itself, which includes its keys, is only backed up to targets that an ADMIN added.',
        body: CreateBackupTarget,
        errors: [forbidden, 'CONFLICT', 'BACKUP_TARGET_UNREACHABLE'],
        response: { 201: NewBackupTarget }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await addTarget(deps, request, sessionOf(request).userId, request.body))
  )
  app.post(
    '/api/backups/targets/:id/confirm',
    {
      config,
      schema: {
        tags,
        operationId: 'confirmBackupTarget',
        summary: 'Confirm that the key of a target was kept',
        description:
          'The key must be the one that `createBackupTarget` returned. Backups to the target start after that.',
        params,
        body: ConfirmBackupKey,
        errors: [forbidden, 'INVALID_TARGET'],
        response: { 200: BackupTarget }
      }
    },
    async (request) => confirmTarget(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/backups/targets/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteBackupTarget',
        summary: 'Remove a backup target',
        description:
          'Removes the target and its list of backups. The data on the target stays, and its key still decrypts it.',
        params,
        errors: [forbidden, 'CONFLICT'],
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeTarget(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
  app.get(
    '/api/backups/schedule',
    {
      config,
      schema: {
        tags,
        operationId: 'getBackupSchedule',
        summary: 'Show when backups run and how many are kept',
        description: 'Applies to the panel, all projects and all targets, in the time zone of the server.',
        errors: [forbidden],
        response: { 200: BackupSchedule }
      }
    },
    async () => readSchedule(deps.db)
  )
  app.put(
    '/api/backups/schedule',
    {
      config,
      schema: {
        tags,
        operationId: 'changeBackupSchedule',
        summary: 'Change when backups run and how many are kept',
        description: 'Takes effect at once, in the time zone of the server.',
        body: BackupSchedule,
        errors: [forbidden],
        response: { 200: BackupSchedule }
      }
    },
    async (request) => changeSchedule(deps, request, sessionOf(request).userId, request.body)
  )
  app.get(
    '/api/backups',
    {
      config,
      schema: {
        tags,
        operationId: 'listBackups',
        summary: 'List the backups of the panel and all projects, newest first',
        description: 'Also of deleted projects, as long as the target keeps them.',
        querystring: BackupQuery,
        errors: [forbidden],
        response: { 200: BackupList }
      }
    },
    async (request) => showBackups(deps, request.query)
  )
  app.post(
    '/api/backups',
    {
      config,
      schema: {
        tags,
        operationId: 'startBackups',
        summary: 'Back up the panel and every project now',
        description:
          'Queues backups on each target with a confirmed key. What has a queued or running backup is skipped. A backup of the panel has all accounts, settings ' +
          'and keys, the state of the name server, mail, and the databases without a project; `./panel restore` puts it and the latest backup of every project back.',
        body: StartServerBackup,
        errors: [forbidden, 'CONFLICT'],
        response: { 202: StartedBackups }
      }
    },
    async (request, reply) =>
      reply.code(202).send(await startBackups(deps, request, sessionOf(request).userId, request.body))
  )
}
