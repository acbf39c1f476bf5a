import { mailDirectories } from '../../process/paths.ts'
import { feature } from '../feature.ts'
import { autoreplyRoutes } from './autoreply.routes.ts'
import { mailAliasRoutes } from './mail-aliases.routes.ts'
import { getOwnMailAlias } from './mail-aliases.service.ts'
import { measureMail } from './mail-disk.service.ts'
import { mailServerRoutes } from './mail-server.routes.ts'
import { reconcileMail } from './mail.reconcile.ts'
import { getDeletedMailbox, getOwnMailbox } from './mailbox-access.ts'
import { accountHooks, domainHooks } from './mailboxes.hooks.ts'
import { mailboxMetrics } from './mailboxes.metrics.ts'
import { countMailboxes } from './mailboxes.repository.ts'
import { mailboxRoutes } from './mailboxes.routes.ts'
import { purgeKeptMail } from './purge.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'mailboxes.purge': object
  }
}

export const mailboxes = feature({
  name: 'mailboxes',
  routes: [mailboxRoutes, autoreplyRoutes, mailAliasRoutes, mailServerRoutes],
  owners: {
    '/api/mailboxes/:id': ({ db }, userId, { id }) => getOwnMailbox(db, id!, userId),
    '/api/mail/deleted-mailboxes/:id': ({ db, now }, userId, { id }) => getDeletedMailbox(db, id!, userId, now()),
    '/api/mail/aliases/:id': ({ db }, userId, { id }) => getOwnMailAlias(db, id!, userId)
  },
  quotas: { maxMailboxes: { noun: 'mailboxes', count: countMailboxes } },
  metrics: [mailboxMetrics],
  diskPlaces: async ({ config }) => [{ kind: 'MAIL', path: (await mailDirectories(config)).directory }],
  diskUsage: { kind: 'MAIL', measure: measureMail },
  account: accountHooks,
  domain: domainHooks,
  jobs: { 'mailboxes.purge': { concurrency: 1, timeoutSeconds: 600, retries: 0, run: purgeKeptMail } },
  schedules: [{ queue: 'mailboxes.purge', everySeconds: 3600 }],
  reconcile: [
    { name: 'mail domains', on: { tables: ['mail_domains', 'mailboxes', 'mail_aliases'] }, run: reconcileMail }
  ]
})
