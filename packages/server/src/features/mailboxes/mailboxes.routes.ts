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
// They wait for the mail servers, and new passwords for a processor.
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
        summary: 'List your mailboxes by their addresses, with what each holds',
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
          'With the first one of a domain, its records of mail are made (SPF, DKIM, DMARC, MX); what hinders that never hinders the mailbox. ' +
          'Changes reach mail servers that are unavailable once they are back. Quotas of an account’s mailboxes together, with deleted ones that are ' +
          'kept, are within its maxDiskMb.',
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
        summary: 'Show a mailbox, with what it holds',
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
        summary: 'Change password, quota or sign-in',
        description:
          'Another password ends the sessions that are open, and so does `enabled: false`; mail still comes in. A quota below what the mailbox ' +
          'holds keeps what is there and takes no more.',
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
        summary: 'Delete a mailbox; its mail is kept for a while, and can be restored',
        description:
          'Mail to it is refused at once. `listDeletedMailboxes` says until when it can be restored (`restoreMailbox`).',
        params,
        response: { 200: Message }
      }
    },
    async (request) => {
      const { address, purgeAt } = await deleteMailbox(deps, request, sessionOf(request).userId, request.params.id)
      return { message: `${address} is deleted; its mail is kept until ${purgeAt}` }
    }
  )
  app.get(
    '/api/mail/deleted-mailboxes',
    {
      config,
      schema: {
        tags,
        operationId: 'listDeletedMailboxes',
        summary: 'List mailboxes that can be restored, the last deleted first',
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
        description:
          'At the same address, whose domain must be a verified one of yours; it counts against the quota again.',
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
        summary: 'Have the mail of a deleted mailbox removed now',
        description: 'There is no way back. Refused where it was restored meanwhile.',
        params,
        errors: ['MAILBOX_EXISTS'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await purgeMailbox(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'The mail is removed within an hour or so' }
    }
  )
}
