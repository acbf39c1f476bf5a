import { createHash } from 'node:crypto'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { TokenScope } from '@panel/contract/api-tokens'
import type { Dependencies } from '../dependencies.ts'
import { apiTokens } from '../db/schema/api-tokens.ts'
import { users } from '../db/schema/users.ts'
import { AppError } from '../errors.ts'
import { limitKey } from './client-ip.ts'

/** What every token begins with, so that leaked ones are found by scanners. */
export const tokenPrefix = 'panel_'
const tokenPattern = /^panel_[A-Za-z0-9_-]{43}$/
const useNotedEveryMs = 60_000

type Deps = Pick<Dependencies, 'db' | 'now' | 'authLimiter'>

export interface TokenCaller {
  /** In place of a session's id; no session has such a one. */
  id: string
  userId: string
  scope: TokenScope
}

/** 256 random bits need no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The text of `Authorization: Bearer …`; undefined when the header is absent or of another kind. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim()
}

/** Who an API token speaks for. Read on every request, so that a revocation applies on the next one. */
export async function resolveToken(deps: Deps, request: FastifyRequest, token: string): Promise<TokenCaller> {
  const now = deps.now()
  const row = tokenPattern.test(token) ? await findToken(deps, token) : undefined
  if (!row) throw await unknownToken(deps, request)
  if (row.expiresAt <= now) throw new AppError('UNAUTHENTICATED', 'This token has expired; make a new one')
  if (row.suspendedAt !== null) throw new AppError('ACCOUNT_SUSPENDED', 'This account is suspended')
  const before = new Date(now.getTime() - useNotedEveryMs)
  if (row.lastUsedAt === null || row.lastUsedAt < before) {
    await deps.db
      .update(apiTokens)
      .set({ lastUsedAt: now })
      .where(and(eq(apiTokens.id, row.id), or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, before))))
  }
  return { id: `token:${row.id}`, userId: row.userId, scope: row.scope }
}

async function findToken(deps: Pick<Deps, 'db'>, token: string) {
  const { id, userId, scope, expiresAt, lastUsedAt } = apiTokens
  const [row] = await deps.db
    .select({ id, userId, scope, expiresAt, lastUsedAt, suspendedAt: users.suspendedAt })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.tokenHash, hashToken(token)), isNull(users.deletedAt)))
  return row
}

/** Only failures count, so that nobody's guessing locks out a good token behind the same address. */
async function unknownToken(deps: Deps, request: FastifyRequest): Promise<AppError> {
  const retryAfterSeconds = await deps.authLimiter.hit(`bearer|${limitKey(request.ip)}`)
  if (retryAfterSeconds === undefined) return new AppError('UNAUTHENTICATED', 'This token is not valid')
  return new AppError('RATE_LIMITED', `Too many tries. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds
  })
}
