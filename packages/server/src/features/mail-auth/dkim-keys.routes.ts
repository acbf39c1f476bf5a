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
// Slow: waits for the name server, the DKIM signer and key generation.
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
        summary: 'List the DKIM keys of a domain, newest first',
        description:
          'Each key includes its DNS record. One key is ACTIVE; replaced keys are RETIRING until you retire them. Private keys ' +
          'are never returned.',
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
        summary: 'Rotate the DKIM key of a domain',
        description:
          'Creates a key under a new selector. The old key is RETIRING: its record stays, so that mail in transit can still be verified. With managed ' +
          'DNS the new key signs as soon as the name servers publish its record, usually before this call returns. With external DNS it signs at once ' +
          'and `newKey.inDns` is false: add its record at your DNS provider.',
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
        summary: 'Retire a replaced DKIM key: delete its record and its private key',
        description:
          'Allowed one week after the next key started signing, or sooner with `force`. With external DNS, remove the record at your DNS provider. Keys are ' +
          'never retired automatically.',
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
