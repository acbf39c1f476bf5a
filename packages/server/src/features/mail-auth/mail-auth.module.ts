import { getOwnDomain } from '../domains/domain-access.ts'
import { feature } from '../feature.ts'
import { checkAgain } from './checking.jobs.ts'
import { getOwnKey } from './dkim-key-access.ts'
import { dkimKeyRoutes } from './dkim-keys.routes.ts'
import { domainHooks } from './mail-auth.hooks.ts'
import { mailAuthRoutes } from './mail-auth.routes.ts'
import { mtaStsRoutes } from './mta-sts.routes.ts'
import { reconcileSigning } from './signing.reconcile.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'mail-auth.check': object
  }
}

export const mailAuth = feature({
  name: 'mail-auth',
  routes: [mailAuthRoutes, dkimKeyRoutes, mtaStsRoutes],
  owners: {
    '/api/mail/auth/:domainId': ({ db }, userId, { domainId }) => getOwnDomain(db, domainId!, userId),
    '/api/mail/dkim/:domainId': ({ db }, userId, { domainId }) => getOwnDomain(db, domainId!, userId),
    '/api/mail/dkim/:domainId/keys/:keyId': ({ db }, userId, { domainId, keyId }) =>
      getOwnKey(db, domainId!, keyId!, userId)
  },
  domain: domainHooks,
  jobs: { 'mail-auth.check': { concurrency: 1, timeoutSeconds: 1_800, retries: 0, run: checkAgain } },
  schedules: [{ queue: 'mail-auth.check', everySeconds: 3600 }],
  reconcile: [{ name: 'mail signing', on: { tables: ['mail_authentication', 'dkim_keys'] }, run: reconcileSigning }]
})
