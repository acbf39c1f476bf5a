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
        summary: 'Create a token; requires the password, and a two-factor code if two-factor is on',
        description:
          'Only this response contains the token; the panel stores a hash. `scope` limits what it can do (see the security scheme `token`). It expires ' +
          'after `expiresInDays`. An account can have up to 50 tokens.',
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
        summary: 'Revoke a token; it is rejected from the next request on',
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
