import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ChangeDnsMode, DelegationCheck, Domain } from '@panel/contract/domains'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { changeDnsMode, checkDelegation } from './dns-mode.service.ts'

const config = { access: sessionAccess, admission: 'apart' } as const
const tags = ['Domains']
const params = z.object({ id: Id })

export function dnsModeRoutes(app: App, deps: Dependencies): void {
  app.patch(
    '/api/domains/:id/dns-mode',
    {
      config,
      schema: {
        tags,
        operationId: 'changeDnsMode',
        summary: 'Change the DNS mode',
        description:
          'MANAGED requires a verified domain that its parent zone delegates to DNS_NAMESERVERS (409 DNS_NOT_DELEGATED), or ' +
          '`skipDelegationCheck`. Your verified subdomains join the zone. Below a zone of another account on this server, that zone must ' +
          'contain NS records for the name (409 DNS_ZONE_CONFLICT). If the name server is not responding, nothing changes: 503 ' +
          'DNS_SERVER_UNAVAILABLE. CONNECTED keeps the records but stops serving them; 409 DNS_MODE_MAIL_ACTIVE while the domain, or one in ' +
          'its zone, has mailboxes.',
        params,
        body: ChangeDnsMode,
        errors: [
          'INVALID_TARGET',
          'CONFLICT',
          'DOMAIN_NOT_ACTIVE',
          'DNS_MODE_MAIL_ACTIVE',
          'DNS_NOT_DELEGATED',
          'DNS_ZONE_CONFLICT',
          'DNS_RECORD_EXISTS',
          'DNS_RECORD_CONFLICT',
          'DNS_RECORD_LIMIT',
          'DNSSEC_DS_PRESENT',
          'DNS_SERVER_UNAVAILABLE'
        ],
        response: { 200: Domain }
      }
    },
    async (request) => changeDnsMode(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.post(
    '/api/domains/:id/dns-mode/check',
    {
      config,
      schema: {
        tags,
        operationId: 'checkDelegation',
        summary: 'Check the delegation',
        description:
          'Queries public resolvers whether the parent zone delegates to our name servers. Changes nothing; `changeDnsMode` runs the same check.',
        params,
        errors: ['CONFLICT'],
        response: { 200: DelegationCheck }
      }
    },
    async (request) => checkDelegation(deps, sessionOf(request).userId, request.params.id)
  )
}
