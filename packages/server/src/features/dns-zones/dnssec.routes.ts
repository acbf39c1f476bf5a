import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { Dnssec, SetDnssec } from '@panel/contract/dns-records'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { getDnssec, setDnssec } from './dnssec.service.ts'

const config = { access: sessionAccess }
const tags = ['DNS records']
const params = z.object({ id: Id })

export function dnssecRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/domains/:id/dnssec',
    {
      config,
      schema: {
        tags,
        operationId: 'getDnssec',
        summary: 'Get DNSSEC status',
        description:
          'Whether the zone is signed, and the DS records for the registrar. Queries public resolvers for the DS record in the parent zone. `message` contains the next step.',
        params,
        errors: ['INVALID_TARGET', 'CONFLICT', 'DNS_NOT_MANAGED', 'DNS_SERVER_UNAVAILABLE'],
        response: { 200: Dnssec }
      }
    },
    async (request) => getDnssec(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/domains/:id/dnssec',
    {
      config,
      schema: {
        tags,
        operationId: 'updateDnssec',
        summary: 'Enable or disable DNSSEC',
        description:
          'Only for the apex domain of a zone (400 INVALID_TARGET for others). Disabling requires that the DS record is removed from the ' +
          'parent zone (409 DNSSEC_DS_PRESENT), or `force`.',
        params,
        body: SetDnssec,
        errors: ['INVALID_TARGET', 'CONFLICT', 'DNS_NOT_MANAGED', 'DNSSEC_DS_PRESENT', 'DNS_SERVER_UNAVAILABLE'],
        response: { 200: Dnssec }
      }
    },
    async (request) => setDnssec(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
}
