import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import { CreateMailAlias, MailAlias, MailAliasList, MailAliasQuery, UpdateMailAlias } from '@panel/contract/mailboxes'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import {
  aliasView,
  changeMailAlias,
  createMailAlias,
  getOwnMailAlias,
  listMailAliases,
  removeMailAlias
} from './mail-aliases.service.ts'

const config = { access: sessionAccess }
const changeConfig = { ...config, admission: 'apart' } as const
const tags = ['Mail']
const params = z.object({ id: Id })

export function mailAliasRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/aliases',
    {
      config,
      schema: {
        tags,
        operationId: 'listMailAliases',
        summary: 'List your aliases, including catch-alls, by address',
        querystring: MailAliasQuery,
        response: { 200: MailAliasList }
      }
    },
    async (request) => listMailAliases(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/mail/aliases',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'createMailAlias',
        summary: 'Create an alias that forwards mail to its targets',
        description:
          'If the address is also a mailbox, the mailbox receives the mail too. `*` is a catch-all for addresses without a mailbox or another alias. ' +
          'Without a mailbox or alias of their own, postmaster and abuse forward to the email address of your account. Mail from other servers to ' +
          'targets on other servers is forwarded with a rewritten envelope sender (SRS), so that it passes SPF; bounces go back to the original sender, ' +
          'and headers are unchanged. Returns 409 MAIL_ALIAS_LOOP if a target forwards back to the address.',
        body: CreateMailAlias,
        errors: [
          'INVALID_TARGET',
          'ACCOUNT_SUSPENDED',
          'QUOTA_EXCEEDED',
          'NOT_FOUND',
          'CONFLICT',
          'DOMAIN_NOT_ACTIVE',
          'MAIL_ALIAS_EXISTS',
          'MAIL_ALIAS_LOOP',
          'MAIL_UNAVAILABLE'
        ],
        response: { 201: MailAlias }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await createMailAlias(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/mail/aliases/:id',
    {
      config,
      schema: { tags, operationId: 'getMailAlias', summary: 'Show an alias', params, response: { 200: MailAlias } }
    },
    async (request) => aliasView(await getOwnMailAlias(deps.db, request.params.id, sessionOf(request).userId))
  )
  app.patch(
    '/api/mail/aliases/:id',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'updateMailAlias',
        summary: 'Replace the targets of an alias',
        description: 'Returns 409 MAIL_ALIAS_LOOP if a target forwards back to the address.',
        params,
        body: UpdateMailAlias,
        errors: ['MAIL_ALIAS_LOOP'],
        response: { 200: MailAlias }
      }
    },
    async (request) => changeMailAlias(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/mail/aliases/:id',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'deleteMailAlias',
        summary: 'Delete an alias',
        params,
        response: { 200: Message }
      }
    },
    async (request) => {
      await removeMailAlias(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'Alias deleted' }
    }
  )
}
