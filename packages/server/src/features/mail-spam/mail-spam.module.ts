import { getOwnDomain } from '../domains/domain-access.ts'
import { feature } from '../feature.ts'
import { watchHeldMail } from './held-mail.jobs.ts'
import { domainHooks } from './mail-spam.hooks.ts'
import { reconcileSpam } from './mail-spam.reconcile.ts'
import { isAnyMailDomain } from './mail-spam.repository.ts'
import { mailSpamRoutes } from './mail-spam.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'mail-spam.held': object
  }
}

export const mailSpam = feature({
  name: 'mail-spam',
  routes: [mailSpamRoutes],
  owners: { '/api/mail/spam/:domainId': ({ db }, userId, { domainId }) => getOwnDomain(db, domainId!, userId) },
  domain: domainHooks,
  jobs: { 'mail-spam.held': { concurrency: 1, timeoutSeconds: 120, retries: 0, run: watchHeldMail } },
  schedules: ({ MAIL, MAIL_SPAM_FILTER }) =>
    MAIL && MAIL_SPAM_FILTER ? [{ queue: 'mail-spam.held', everySeconds: 30, isNeeded: isAnyMailDomain }] : [],
  reconcile: [{ name: 'spam settings', on: { tables: ['mail_filter_settings'] }, run: reconcileSpam }]
})
