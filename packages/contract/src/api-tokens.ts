import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp } from './common.ts'
import { secret } from './field-scope.ts'

export const tokenScopes = ['read', 'deploy', 'full'] as const
export const TokenScope = z.enum(tokenScopes).meta({
  description:
    'read: every GET except those that return secrets, file downloads and exports, or start work (such as listing changes from a ' +
    'repository). deploy: also builds, deployments, rollbacks and container actions, without a custom build command and without ' +
    '`remove`. full: everything the account may do, except managing tokens, sessions, passwords and two-factor.'
})
export type TokenScope = z.infer<typeof TokenScope>

export const ApiToken = z
  .object({
    id: Id,
    name: z.string(),
    scope: TokenScope,
    expiresAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
    createdAt: Timestamp
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.infer<typeof ApiToken>

export const ApiTokenList = z.object({ tokens: z.array(ApiToken), pagination: Pagination })
export type ApiTokenList = z.infer<typeof ApiTokenList>
export const ApiTokenQuery = z.object(pageQuery(20, 100))
export type ApiTokenQuery = z.infer<typeof ApiTokenQuery>

/** Confirms the identity: the password, and a code if two-factor is on. */
export const CreateApiToken = z.object({
  name: singleLine(100).trim().min(1),
  scope: TokenScope,
  expiresInDays: z.int().min(1).max(365).default(90),
  password: z.string().min(1).max(128),
  code: z.string().min(1).max(64).optional()
})
export type CreateApiToken = z.infer<typeof CreateApiToken>

export const CreatedApiToken = ApiToken.extend({
  token: secret(z.string()).meta({ description: 'Shown only once.' })
}).meta({
  id: 'CreatedApiToken'
})
