import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  CreateMailbox,
  DeletedMailboxList,
  DeletedMailboxQuery,
  Mailbox,
  MailboxList,
  MailboxQuery,
  UpdateMailbox
} from '@panel/contract/mailboxes'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { deleteMailbox, listDeletedMailboxes, purgeMailbox, restoreMailbox } from './mailbox-removal.service.ts'
import { changeMailbox, createMailbox, listMailboxes, showMailbox } from './mailboxes.service.ts'

const config = { access: sessionAccess }
// Slow: waits for the mail servers, and hashes passwords.
const changeConfig = { ...config, admission: 'apart' } as const
const tags = ['Mail']
const params = z.object({ id: Id })

export function mailboxRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mailboxes',
    {
      config: { ...config, compressed: true },
      schema: {
        tags,
        operationId: 'listMailboxes',
        summary: 'List your mailboxes by address, with their usage',
        querystring: MailboxQuery,
        response: { 200: MailboxList }
      }
    },
    async (request) => listMailboxes(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/mailboxes',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'createMailbox',
        summary: 'Create a mailbox on a verified domain',
        description:
          'The first mailbox of a domain also creates its mail records (SPF, DKIM, DMARC, MX); a failure there does not affect the mailbox. ' +
          'If the mail servers are unavailable, the mailbox is applied once they are back. The quotas of your mailboxes together, including deleted ' +
          'ones that are kept, must fit into your maxDiskMb.',
        body: CreateMailbox,
        errors: [
          'INVALID_TARGET',
          'ACCOUNT_SUSPENDED',
          'QUOTA_EXCEEDED',
          'NOT_FOUND',
          'CONFLICT',
          'DOMAIN_NOT_ACTIVE',
          'MAILBOX_EXISTS',
          'MAIL_UNAVAILABLE'
        ],
        response: { 201: Mailbox }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await createMailbox(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/mailboxes/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getMailbox',
        summary: 'Show a mailbox, with its usage',
        params,
        response: { 200: Mailbox }
      }
    },
    async (request) => showMailbox(deps, sessionOf(request).userId, request.params.id)
  )
  app.patch(
    '/api/mailboxes/:id',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'updateMailbox',
        summary: 'Change the password or quota of a mailbox, or disable it',
        description:
          'A new password or `enabled: false` ends open sessions; mail is still delivered. A quota below the current usage keeps existing mail ' +
          'and rejects new mail.',
        params,
        body: UpdateMailbox,
        errors: ['QUOTA_EXCEEDED'],
        response: { 200: Mailbox }
      }
    },
    async (request) => changeMailbox(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/mailboxes/:id',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'deleteMailbox',
        summary: 'Delete a mailbox; it can be restored for a while',
        description:
          'New mail is rejected at once. `listDeletedMailboxes` shows until when you can restore it (`restoreMailbox`).',
        params,
        response: { 200: Message }
      }
    },
    async (request) => {
      const { address, purgeAt } = await deleteMailbox(deps, request, sessionOf(request).userId, request.params.id)
      return { message: `${address} deleted. Its mail is kept until ${purgeAt}.` }
    }
  )
  app.get(
    '/api/mail/deleted-mailboxes',
    {
      config,
      schema: {
        tags,
        operationId: 'listDeletedMailboxes',
        summary: 'List deleted mailboxes that can be restored, most recently deleted first',
        querystring: DeletedMailboxQuery,
        response: { 200: DeletedMailboxList }
      }
    },
    async (request) => listDeletedMailboxes(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/mail/deleted-mailboxes/:id/restore',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'restoreMailbox',
        summary: 'Restore a deleted mailbox with its mail, password and settings',
        description: 'Its domain must be a verified domain of yours. The mailbox counts against the quota again.',
        params,
        errors: [
          'INVALID_TARGET',
          'ACCOUNT_SUSPENDED',
          'QUOTA_EXCEEDED',
          'CONFLICT',
          'DOMAIN_NOT_ACTIVE',
          'MAILBOX_EXISTS',
          'MAIL_UNAVAILABLE'
        ],
        response: { 200: Mailbox }
      }
    },
    async (request) => restoreMailbox(deps, request, sessionOf(request).userId, request.params.id)
  )
  app.delete(
    '/api/mail/deleted-mailboxes/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'purgeMailbox',
        summary: 'Permanently delete the mail of a deleted mailbox',
        description: 'This cannot be undone. Fails with MAILBOX_EXISTS if the mailbox was restored in the meantime.',
        params,
        errors: ['MAILBOX_EXISTS'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await purgeMailbox(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'The mail will be deleted within about an hour' }
    }
  )
}
