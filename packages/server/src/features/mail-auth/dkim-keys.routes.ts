import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { DkimKey, DkimKeyList, DkimKeyQuery, DkimRotation, RetireDkimKey } from '@panel/contract/dkim-keys'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { listDkimKeys } from './dkim-keys.service.ts'
import { retireDkimKey } from './retirement.service.ts'
import { rotateDkimKey } from './rotation.service.ts'

const config = { access: sessionAccess }
// They wait for the name server and the signer, and a new key for a processor.
const changeConfig = { ...config, admission: 'apart' } as const
const tags = ['Mail']
const params = z.object({ domainId: Id })
const keyParams = z.object({ domainId: Id, keyId: Id })
const refusals = ['INVALID_TARGET', 'ACCOUNT_SUSPENDED', 'CONFLICT', 'DOMAIN_NOT_ACTIVE', 'MAIL_UNAVAILABLE'] as const

export function dkimKeyRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/dkim/:domainId',
    {
      config,
      schema: {
        tags,
        operationId: 'listDkimKeys',
        summary: 'List the keys that sign, or signed, a domain’s mail, the newest first',
        description:
          'Each with the record by which receivers find it. One is ACTIVE; those that it has replaced are RETIRING until they are retired. Private ' +
          'keys are never shown.',
        params,
        querystring: DkimKeyQuery,
        response: { 200: DkimKeyList }
      }
    },
    async (request) => listDkimKeys(deps, sessionOf(request).userId, request.params.domainId, request.query)
  )
  app.post(
    '/api/mail/dkim/:domainId/rotate',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'rotateDkimKey',
        summary: 'Sign a domain’s mail with a new key',
        description:
          'Under a new selector. The old key is RETIRING: its record stays, so that mail under way is still verified. Where the DNS is managed here, ' +
          'the new one signs as soon as the name servers answer with its record, as a rule before this answers; elsewhere it signs at once, and ' +
          '`newKey.inDns` is false: add its record.',
        params,
        errors: [
          ...refusals,
          'DKIM_KEY_MISSING',
          'DKIM_KEY_PENDING',
          'DKIM_KEY_LIMIT',
          'DNS_RECORD_CONFLICT',
          'DNS_RECORD_LIMIT'
        ],
        response: { 200: DkimRotation }
      }
    },
    async (request) => rotateDkimKey(deps, request, sessionOf(request).userId, request.params.domainId)
  )
  app.post(
    '/api/mail/dkim/:domainId/keys/:keyId/retire',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'retireDkimKey',
        summary: 'End a key that was replaced: its record and its private part go',
        description:
          'A week after the next key began, or sooner with `force`. Of a domain whose DNS is elsewhere, take its record away there. Nothing retires a ' +
          'key by itself.',
        params: keyParams,
        body: RetireDkimKey,
        errors: [...refusals, 'DKIM_KEY_IN_USE'],
        response: { 200: DkimKey }
      }
    },
    async (request) =>
      retireDkimKey(deps, request, sessionOf(request).userId, { ...request.params, force: request.body.force })
  )
}
