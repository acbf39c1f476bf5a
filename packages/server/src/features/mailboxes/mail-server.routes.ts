import { MailStatus, MailSyncResult } from '@panel/contract/mailboxes'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { getMailStatus } from './mail-status.service.ts'
import { syncMail } from './mail-sync.service.ts'

const config = { access: sessionAccess }
const tags = ['Mail']

export function mailServerRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/status',
    {
      // It waits for ports that may not answer.
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'getMailStatus',
        summary: 'Whether the mail servers answer, each at its ports',
        description: 'What does not answer is the answer. Asked of the servers once in five seconds, however many ask.',
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: MailStatus }
      }
    },
    async (request) => getMailStatus(deps, sessionOf(request).userId)
  )
  app.post(
    '/api/mail/sync',
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'syncMail',
        summary: 'Give the mail servers your domains anew, with their mailboxes and aliases',
        description:
          'Never needed but to be sure: changes reach them at once, and what could not is made up for. Domains of other accounts are left ' +
          'as they are. `success` is false where some domains could not be given.',
        errors: ['CONFLICT', 'MAIL_UNAVAILABLE'],
        response: { 200: MailSyncResult }
      }
    },
    async (request) => syncMail(deps, request, sessionOf(request).userId)
  )
}
