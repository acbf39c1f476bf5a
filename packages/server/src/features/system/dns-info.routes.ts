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
        summary:
          'Get the addresses of this server: those of its interfaces, and the public one that an external service sees',
        description: 'Queries PUBLIC_IP_SERVICE if it is set, with a timeout of 5 seconds. Changes nothing.',
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
        summary: 'List the DNS records that point the panel and its projects to this server',
        description: 'For PANEL_DOMAIN, BASE_DOMAIN and its wildcard. Add them at the DNS provider of these names.',
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
        summary: 'Check these records at the public resolvers',
        description: 'Queries each name at each resolver; for a wildcard, a name below it.',
        response: { 200: DnsInfoVerification }
      }
    },
    async () => verifyDnsInfo(deps)
  )
}
