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
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'getMailStatus',
        summary: 'Show the status of the mail servers and their ports',
        description: 'Returns 200 even if a server is down. Cached for five seconds.',
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
        summary: 'Send your mail domains, mailboxes and aliases to the mail servers again',
        description:
          'Normally not needed: changes are applied at once and retried automatically. Domains of other accounts are unaffected. ' +
          '`success` is false if some domains could not be applied.',
        errors: ['CONFLICT', 'MAIL_UNAVAILABLE'],
        response: { 200: MailSyncResult }
      }
    },
    async (request) => syncMail(deps, request, sessionOf(request).userId)
  )
}
