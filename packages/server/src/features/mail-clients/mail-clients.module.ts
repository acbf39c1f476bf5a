import { isAnyMailHostDue } from '../domains/domain-access.ts'
import { feature } from '../feature.ts'
import { clientSettingsRoutes } from './client-settings.routes.ts'
import { discoveryRoutes } from './discovery.routes.ts'
import { orderHostCertificates } from './host-certificates.jobs.ts'
import { domainHooks } from './mail-clients.hooks.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'mail-clients.certify': object
  }
}

export const mailClients = feature({
  name: 'mail-clients',
  routes: [clientSettingsRoutes, discoveryRoutes],
  domain: domainHooks,
  jobs: {
    'mail-clients.certify': { concurrency: 1, timeoutSeconds: 600, retries: 0, run: orderHostCertificates }
  },
  schedules: ({ RENEWAL_SECONDS }) => [
    { queue: 'mail-clients.certify', everySeconds: RENEWAL_SECONDS, isNeeded: isAnyMailHostDue }
  ]
})
