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
        summary: 'List your aliases by their addresses: forwarders and catch-alls too',
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
          'Where the address is that of a mailbox, it gets the mail besides. `*` takes all that is neither a mailbox nor another alias. Without ' +
          'either of their own, postmaster and abuse lead to the e-mail address of your account. Mail from other servers goes on to targets on ' +
          'other servers with a rewritten envelope sender (SRS), so that it passes SPF; bounces go back to the first sender, and headers are not ' +
          'changed. 409 MAIL_ALIAS_LOOP where a target leads back to the address.',
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
        summary: 'Have an alias lead to other targets',
        description: 'Replaces all targets. One that would lead back to itself is refused (409 MAIL_ALIAS_LOOP).',
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
      return { message: 'The alias is deleted' }
    }
  )
}
