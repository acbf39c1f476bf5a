import type { TokenScope } from '@panel/contract/api-tokens'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { limitKey } from '../../http/client-ip.ts'
import type { Session } from '../../http/session.ts'
import { findTokenOwner, listOpenTokens, markTokenUsed } from './api-tokens.repository.ts'
import { hashToken, isToken } from './token-format.policy.ts'

const useNotedEveryMs = 60_000
// Distinguishes token callers from session IDs.
const callerPrefix = 'token:'

type Deps = Pick<Dependencies, 'db' | 'now' | 'authLimiter'>

/** The account of an API token. Read on every request, so that a revocation applies to the next one. */
export async function openToken(deps: Deps, token: string, clientIp: string): Promise<Session & { scope: TokenScope }> {
  const now = deps.now()
  const row = isToken(token) ? await findTokenOwner(deps.db, hashToken(token)) : undefined
  if (!row) throw await unknownToken(deps, clientIp)
  if (row.expiresAt <= now) throw new AppError('UNAUTHENTICATED', 'This token has expired. Create a new one.')
  if (row.suspendedAt !== null)
    throw new AppError('ACCOUNT_SUSPENDED', 'This account is suspended. Ask an administrator.')
  const before = new Date(now.getTime() - useNotedEveryMs)
  if (row.lastUsedAt === null || row.lastUsedAt < before) await markTokenUsed(deps.db, row.id, { now, before })
  return { id: callerPrefix + row.id, userId: row.userId, scope: row.scope }
}

/** Those of the callers whose tokens are still valid. */
export async function listOpenCallers(deps: Pick<Deps, 'db' | 'now'>, ids: readonly string[]) {
  const tokenIds = ids.flatMap((id) => (id.startsWith(callerPrefix) ? [id.slice(callerPrefix.length)] : []))
  const open = await listOpenTokens(deps.db, tokenIds, deps.now())
  return open.map((token) => ({ ...token, id: callerPrefix + token.id }))
}

/** Counts failures only, so that guesses from an address do not block a valid token used behind it. */
async function unknownToken(deps: Deps, clientIp: string): Promise<AppError> {
  const retryAfterSeconds = await deps.authLimiter.hit(`bearer|${limitKey(clientIp)}`)
  if (retryAfterSeconds === undefined) return new AppError('UNAUTHENTICATED', 'This token is not valid')
  return new AppError('RATE_LIMITED', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds
  })
}
