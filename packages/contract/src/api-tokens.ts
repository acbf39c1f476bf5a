import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp } from './common.ts'
import { secret } from './field-scope.ts'

/**
 * What a token may do: `read` every GET but for secrets, `deploy` also builds, deployments, rollbacks and container actions, but with no
 * command of its own and no `remove`, `full` all that the account may, except managing tokens, sessions, passwords and two-factor, and
 * what takes a fresh proof.
 */
export const tokenScopes = ['read', 'deploy', 'full'] as const
export const TokenScope = z.enum(tokenScopes).meta({
  description:
    'read: every GET but those that show secrets, send files and exports away, or have work done (what has changed in a repository). deploy: builds, deployments, rollbacks and container actions too, without a command of ' +
    'its own and without `remove`. full: all that the account may, but tokens, sessions, passwords and two-factor.'
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

/** Made with a fresh proof: the password, and with two-factor a code as well. */
export const CreateApiToken = z.object({
  name: singleLine(100).trim().min(1),
  scope: TokenScope,
  expiresInDays: z.int().min(1).max(365).default(90),
  password: z.string().min(1).max(128),
  code: z.string().min(1).max(64).optional()
})
export type CreateApiToken = z.infer<typeof CreateApiToken>

export const CreatedApiToken = ApiToken.extend({
  token: secret(z.string()).meta({ description: 'Shown this once.' })
}).meta({
  id: 'CreatedApiToken'
})
