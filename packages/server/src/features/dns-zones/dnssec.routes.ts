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
        summary: 'Whether the zone of a domain is signed, and what the registrar needs',
        description: 'Asks public resolvers for the DS record of the parent zone. `message` is the next step.',
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
        summary: 'Switch signing (DNSSEC) of a zone on or off',
        description:
          'Of the domain that the zone is named for (400 INVALID_TARGET for others in it). Off only after the DS record is gone from the ' +
          'parent zone (409 DNSSEC_DS_PRESENT), or with `force`.',
        params,
        body: SetDnssec,
        errors: ['INVALID_TARGET', 'CONFLICT', 'DNS_NOT_MANAGED', 'DNSSEC_DS_PRESENT', 'DNS_SERVER_UNAVAILABLE'],
        response: { 200: Dnssec }
      }
    },
    async (request) => setDnssec(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
}
