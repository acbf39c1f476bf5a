import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ChangeMtaSts, MtaSts } from '@panel/contract/mail-auth'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { changeMtaSts, findPolicy, showMtaSts } from './mta-sts.service.ts'

const config = { access: sessionAccess }
const slowConfig = { ...config, admission: 'apart' } as const
const tags = ['Mail']
const params = z.object({ domainId: Id.meta({ description: 'The domain.' }) })
const refusals = ['INVALID_TARGET', 'ACCOUNT_SUSPENDED', 'CONFLICT', 'DOMAIN_NOT_ACTIVE', 'MAIL_UNAVAILABLE'] as const

export function mtaStsRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/auth/:domainId/mta-sts',
    {
      config,
      schema: {
        tags,
        operationId: 'getMtaSts',
        summary: 'Show the MTA-STS policy of a domain',
        description: 'Includes the policy served at `https://mta-sts.<domain>` and its TXT record.',
        params,
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: MtaSts }
      }
    },
    async (request) => showMtaSts(deps, sessionOf(request).userId, request.params.domainId)
  )
  app.patch(
    '/api/mail/auth/:domainId/mta-sts',
    {
      config: slowConfig,
      schema: {
        tags,
        operationId: 'changeMtaSts',
        summary: 'Change the MTA-STS mode of a domain',
        description:
          'With managed DNS the TXT record is updated; with external DNS, replace it at your DNS provider. Returns 409 for `enforce` if mail would be lost: ' +
          '`mail.<domain>` needs a trusted certificate, and all MX records must point to it.',
        params,
        body: ChangeMtaSts,
        errors: [...refusals, 'DNS_RECORD_LIMIT'],
        response: { 200: MtaSts }
      }
    },
    async (request) =>
      changeMtaSts(deps, request, sessionOf(request).userId, request.params.domainId, request.body.mode)
  )
  // The proxy routes this path of mta-sts.<domain> here.
  app.get(
    '/.well-known/mta-sts.txt',
    {
      config: { access: publicAccess },
      schema: {
        tags,
        operationId: 'getMtaStsPolicy',
        summary: 'Serve the MTA-STS policy of a domain (RFC 8461)',
        description: 'Served at `mta-sts.<domain>`.',
        errors: ['NOT_FOUND'],
        response: {
          200: { description: 'The policy', content: { 'text/plain': { schema: z.string() } } }
        }
      }
    },
    async (request, reply) =>
      reply.type('text/plain; charset=utf-8').send(await findPolicy(deps, request.hostname.toLowerCase()))
  )
}
