import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ChangeDnsMode, DelegationCheck, Domain } from '@panel/contract/domains'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { changeDnsMode, checkDelegation } from './dns-mode.service.ts'

// Both wait for resolvers, and a change for the name server.
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
        summary: 'Have the DNS of a domain managed here, or elsewhere',
        description:
          'MANAGED takes a verified domain whose parent zone names the name servers of DNS_NAMESERVERS (409 DNS_NOT_DELEGATED), or ' +
          'skipDelegationCheck. Your verified domains below it come along, since their names are in its zone. Below a zone of another ' +
          'account on this server, that zone has to have NS records for the name (409 DNS_ZONE_CONFLICT). Without a name server that answers it is ' +
          '503 DNS_SERVER_UNAVAILABLE, and nothing changes. Back to CONNECTED, the records ' +
          'are kept but answered for by nobody here; 409 DNS_MODE_MAIL_ACTIVE while it, or a domain in its zone, has mailboxes.',
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
        summary: 'Whether the parent zone names our name servers',
        description: 'Asks each public resolver. Nothing changes; `changeDnsMode` does the same check before it.',
        params,
        errors: ['CONFLICT'],
        response: { 200: DelegationCheck }
      }
    },
    async (request) => checkDelegation(deps, sessionOf(request).userId, request.params.id)
  )
}
