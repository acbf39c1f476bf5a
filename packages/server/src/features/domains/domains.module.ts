import { feature } from '../feature.ts'
import { unverifiedDomains } from './domains.attention.ts'
import { correctDeployedDomains } from './deployed-domain.repository.ts'
import { getOwnDomain } from './domain-access.ts'
import { countDomains } from './domains.repository.ts'
import { accountHooks, projectHooks } from './domains.hooks.ts'
import { domainRoutes } from './domains.routes.ts'
import { ruleRoutes } from './rules.routes.ts'
import { syncAllRules } from './rules.service.ts'
import { syncAllRoutes } from './routing.service.ts'

export const domains = feature({
  name: 'domains',
  attention: [unverifiedDomains],
  routes: [domainRoutes, ruleRoutes],
  owners: { '/api/domains/:id': ({ db }, userId, { id }) => getOwnDomain(db, id!, userId) },
  quotas: { maxDomains: { noun: 'domains', count: countDomains } },
  account: accountHooks,
  project: projectHooks,
  reconcile: [
    { name: 'domain rules', on: { tables: ['domain_rules', 'project_rules', 'account_networks'] }, run: syncAllRules },
    {
      name: 'routes',
      on: {
        tables: [
          'host_names',
          'domains',
          'domain_rules',
          'project_rules',
          'mail_domains',
          'certificates',
          'projects',
          'deployments',
          'container_slots',
          'tcp_ports'
        ]
      },
      run: syncAllRoutes
    },
    { name: 'deployed domains', on: {}, run: ({ db, now }) => correctDeployedDomains(db, now()) }
  ]
})
