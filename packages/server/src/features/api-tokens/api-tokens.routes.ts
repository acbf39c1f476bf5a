import { z } from 'zod'
import { ApiTokenList, ApiTokenQuery, CreateApiToken, CreatedApiToken } from '@panel/contract/api-tokens'
import { Id, Message } from '@panel/contract/common'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { createToken, listOwnTokens, revokeToken } from './api-tokens.service.ts'

const config = { access: sessionAccess, scope: 'session' } as const
const tags = ['API tokens']

export function apiTokenRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/auth/tokens',
    {
      config,
      schema: {
        tags,
        operationId: 'listApiTokens',
        summary: 'List your tokens, newest first',
        querystring: ApiTokenQuery,
        response: { 200: ApiTokenList }
      }
    },
    async (request) => listOwnTokens(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/auth/tokens',
    {
      config: { ...config, rateLimited: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'createApiToken',
        summary: 'Make a token, shown once; takes the password, and a code where two-factor is on',
        description:
          'The token is in this answer alone; what is kept of it is a hash. `scope` says what it may do (see the security scheme `token`), and it ' +
          'ends after `expiresInDays`. An account has 50 at most.',
        body: CreateApiToken,
        errors: ['INVALID_CREDENTIALS', '2FA_INVALID_CODE', 'ACCOUNT_SUSPENDED', 'FRESH_AUTH_REQUIRED', 'CONFLICT'],
        response: { 201: CreatedApiToken }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await createToken(deps, request, sessionOf(request).userId, request.body))
  )
  app.delete(
    '/api/auth/tokens/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeApiToken',
        summary: 'Revoke a token; it is refused from the next request on',
        params: z.object({ id: Id }),
        response: { 200: Message }
      }
    },
    async (request) => {
      await revokeToken(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'Token revoked' }
    }
  )
}
