import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  CreateMailboxImport,
  MailboxImport,
  MailboxImportList,
  MailboxImportQuery
} from '@panel/contract/mailbox-imports'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { cancelImport, getMailboxImport, listMailboxImports, startImport } from './mailbox-imports.service.ts'

const config = { access: sessionAccess }
const tags = ['Mail']
const params = z.object({ id: Id })
const importParams = z.object({ id: Id, importId: Id })

export function mailboxImportRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mailboxes/:id/imports',
    {
      config,
      schema: {
        tags,
        operationId: 'listMailboxImports',
        summary: 'List imports into a mailbox, newest first',
        params,
        querystring: MailboxImportQuery,
        response: { 200: MailboxImportList }
      }
    },
    async (request) => listMailboxImports(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.post(
    '/api/mailboxes/:id/imports',
    {
      config,
      schema: {
        tags,
        operationId: 'importMailbox',
        summary: 'Import a mailbox from another server over IMAP',
        description:
          'Copies messages with flags, dates and folders. Sent, Drafts, Junk, Trash and Archive map to the same folders here, whatever their name. ' +
          'The source server is not changed. Poll until the import is COMPLETED. An interrupted import resumes automatically; a later import from the same ' +
          'host and user copies only new messages. One import per account runs at a time.',
        params,
        body: CreateMailboxImport,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'MAIL_UNAVAILABLE'],
        response: { 202: MailboxImport }
      }
    },
    async (request, reply) =>
      reply.code(202).send(await startImport(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.get(
    '/api/mailboxes/:id/imports/:importId',
    {
      config,
      schema: {
        tags,
        operationId: 'getMailboxImport',
        summary: 'Show the progress of an import',
        params: importParams,
        response: { 200: MailboxImport }
      }
    },
    async (request) => getMailboxImport(deps, sessionOf(request).userId, request.params.id, request.params.importId)
  )
  app.post(
    '/api/mailboxes/:id/imports/:importId/cancel',
    {
      config,
      schema: {
        tags,
        operationId: 'cancelMailboxImport',
        summary: 'Cancel an import; copied messages stay',
        description: 'A running import stops within seconds.',
        params: importParams,
        errors: ['CONFLICT'],
        response: { 200: MailboxImport }
      }
    },
    async (request) =>
      cancelImport(deps, request, sessionOf(request).userId, request.params.id, request.params.importId)
  )
}
