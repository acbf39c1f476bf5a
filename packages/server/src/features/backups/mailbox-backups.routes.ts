import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { MailboxBackupList, Restore, RestoreList } from '@panel/contract/backups'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import {
  showMailboxBackups,
  showMailboxRestores,
  startMailboxRestore,
  undoMailboxRestore
} from './mailbox-restores.service.ts'

const config = { access: sessionAccess }
const tags = ['Backups']
const params = z.object({ id: Id })
const backupParams = z.object({ id: Id, backupId: Id })
const restoreParams = z.object({ id: Id, restoreId: Id })

/** Mail is part of the backups of the panel; an account restores its own mailboxes from them. */
export function mailboxBackupRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mailboxes/:id/backups',
    {
      config,
      schema: {
        tags,
        operationId: 'listMailboxBackups',
        summary: 'List the backups that a mailbox can be restored from, newest first',
        description: 'The latest 50 backups of the panel since the mailbox was created.',
        params,
        response: { 200: MailboxBackupList }
      }
    },
    async (request) => showMailboxBackups(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/mailboxes/:id/backups/:backupId/restore',
    {
      config,
      schema: {
        tags,
        operationId: 'restoreMailboxBackup',
        summary: 'Restore all mail of a mailbox from a backup',
        description:
          'The mail is restored beside the current one and takes its place once it is complete. New mail for the domain is deferred and sessions end for a moment. The previous mail is kept ' +
          'for 7 days (`undoMailboxRestore`).',
        params: backupParams,
        errors: ['CONFLICT', 'MAIL_UNAVAILABLE'],
        response: { 202: Restore }
      }
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(
          await startMailboxRestore(
            deps,
            request,
            sessionOf(request).userId,
            request.params.id,
            request.params.backupId
          )
        )
  )
  app.get(
    '/api/mailboxes/:id/restores',
    {
      config,
      schema: {
        tags,
        operationId: 'listMailboxRestores',
        summary: 'List the latest restores of a mailbox',
        description: 'The latest 50. Poll while one is QUEUED or RUNNING.',
        params,
        response: { 200: RestoreList }
      }
    },
    async (request) => showMailboxRestores(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/mailboxes/:id/restores/:restoreId/undo',
    {
      config,
      schema: {
        tags,
        operationId: 'undoMailboxRestore',
        summary: 'Put the mail from before a restore back',
        description: 'Possible until `undoUntil`. Mail that arrived since the restore goes.',
        params: restoreParams,
        errors: ['CONFLICT', 'MAIL_UNAVAILABLE'],
        response: { 200: Restore }
      }
    },
    async (request) =>
      undoMailboxRestore(deps, request, sessionOf(request).userId, request.params.id, request.params.restoreId)
  )
}
