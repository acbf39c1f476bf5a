import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { WebmailActivity, WebmailLink } from '@panel/contract/webmail'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { showActivity, webmailLink } from './webmail.service.ts'

const config = { access: sessionAccess }
const tags = ['Mail']

export function webmailRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/webmail/activity',
    {
      // Waits for a program that may not respond.
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'getWebmailActivity',
        summary: 'List the last webmail sign-in of each of your mailboxes',
        description:
          'Sign-ins from mail clients are not included. If the webmail database cannot be read, `logins` is empty, and `error` and `code` say so.',
        response: { 200: WebmailActivity }
      }
    },
    async (request) => showActivity(deps, sessionOf(request).userId)
  )
  app.get(
    '/api/mailboxes/:id/webmail',
    {
      config,
      schema: {
        tags,
        operationId: 'getWebmailLink',
        summary: 'Get the webmail address of a mailbox',
        description: 'Webmail asks for the password of the mailbox.',
        params: z.object({ id: Id }),
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: WebmailLink }
      }
    },
    async (request) => webmailLink(deps, sessionOf(request).userId, request.params.id)
  )
}
