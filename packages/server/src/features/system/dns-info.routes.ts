import { DnsInfo, DnsInfoVerification, ServerAddresses } from '@panel/contract/system'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, requireRoleOrPermission } from '../../http/access.ts'
import { findAddresses } from './addresses.service.ts'
import { getDnsInfo, verifyDnsInfo } from './dns-info.service.ts'

const tags = ['System']
const access = requireRoleOrPermission(['ADMIN'], 'canManageDns')

export function dnsInfoRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/system/addresses',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags,
        operationId: 'getServerAddresses',
        summary: 'The addresses of this server: of its interfaces, and as a service on the Internet sees it',
        description: 'Asks PUBLIC_IP_SERVICE where it is set, with a limit of 5 seconds. Changes nothing.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 200: ServerAddresses }
      }
    },
    async () => findAddresses(deps)
  )
  app.get(
    '/api/system/dns-info',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'getDnsInfo',
        summary: 'The DNS records that bring the panel’s names and the projects’ to this server',
        description: 'For PANEL_DOMAIN, BASE_DOMAIN and its wildcard: what to set where the DNS of these names is.',
        response: { 200: DnsInfo }
      }
    },
    async () => getDnsInfo(deps)
  )
  app.post(
    '/api/system/dns-info/verify',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'verifyDnsInfo',
        summary: 'Look these records up at the public resolvers',
        description: 'Each name at each resolver, of a wildcard a name below it.',
        response: { 200: DnsInfoVerification }
      }
    },
    async () => verifyDnsInfo(deps)
  )
}
