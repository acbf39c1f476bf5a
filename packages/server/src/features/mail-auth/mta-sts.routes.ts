import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ChangeMtaSts, MtaSts } from '@panel/contract/mail-auth'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { changeMtaSts, findPolicy, showMtaSts } from './mta-sts.service.ts'

const config = { access: sessionAccess }
// It waits for resolvers and the name server.
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
        description: 'The policy that is served at `https://mta-sts.<domain>`, and the record that announces it.',
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
        summary: 'Change what servers that send to a domain do without TLS that they trust',
        description:
          'The record in a zone that is managed here follows; elsewhere the new one is to be put in place of the old. `enforce` is refused (409) as ' +
          'long as mail would be kept back by it: it takes a certificate of `mail.<domain>`, and no MX record that leads elsewhere.',
        params,
        body: ChangeMtaSts,
        errors: [...refusals, 'DNS_RECORD_LIMIT'],
        response: { 200: MtaSts }
      }
    },
    async (request) =>
      changeMtaSts(deps, request, sessionOf(request).userId, request.params.domainId, request.body.mode)
  )
  // At the host mta-sts.<domain>, as the proxy leads it here.
  app.get(
    '/.well-known/mta-sts.txt',
    {
      config: { access: publicAccess },
      schema: {
        tags,
        operationId: 'getMtaStsPolicy',
        summary: 'What servers that send to a domain do without TLS that they trust (RFC 8461)',
        description: 'At `mta-sts.<domain>`.',
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
