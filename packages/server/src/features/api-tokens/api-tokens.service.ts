import { randomBytes } from 'node:crypto'
import type { ApiToken, ApiTokenList, ApiTokenQuery, CreateApiToken } from '@panel/contract/api-tokens'
import { pagination } from '@panel/contract/common'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { accessChanged } from '../sessions/live-sessions.service.ts'
import { withProof } from '../two-factor/proof.service.ts'
import {
  type ApiTokenRow,
  countApiTokens,
  deleteApiToken,
  deleteExpiredApiTokens,
  hasApiToken,
  insertApiToken,
  listApiTokens
} from './api-tokens.repository.ts'
import { hashToken, tokenPrefix } from './token-format.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'now' | 'secretBox' | 'sessions'>

const maxPerUser = 50
const dayMs = 24 * 3600 * 1000

export async function listOwnTokens(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  query: ApiTokenQuery
): Promise<ApiTokenList> {
  const rows = await listApiTokens(db, userId, query)
  const total = await countApiTokens(db, userId)
  return { tokens: rows.map(tokenView), pagination: pagination(query.page, query.limit, total) }
}

/** Throws if the user does not have the token. */
export async function requireOwnToken(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { id }: Readonly<Record<string, string>>
): Promise<void> {
  if (!(await hasApiToken(db, userId, id!))) throw noSuchToken()
}

/** Requires the password and, with two-factor, a code, so that a stolen session cannot create lasting access. */
export function createToken(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  input: CreateApiToken
): Promise<ApiToken & { token: string }> {
  return withProof(deps, origin, userId, input, (trx) => issueToken(deps, trx, origin, userId, input))
}

/** The caller has checked that the user wants it. */
export async function issueToken(
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  userId: string,
  { name, scope, expiresInDays }: Pick<CreateApiToken, 'name' | 'scope' | 'expiresInDays'>
): Promise<ApiToken & { token: string }> {
  const now = deps.now()
  await deleteExpiredApiTokens(trx, userId, now)
  if ((await countApiTokens(trx, userId)) >= maxPerUser)
    throw new AppError('CONFLICT', `You have ${maxPerUser} tokens, the maximum. Revoke one first.`)
  const token = tokenPrefix + randomBytes(32).toString('base64url')
  const row = await insertApiToken(trx, {
    id: newId(now.getTime()),
    userId,
    name,
    scope,
    tokenHash: hashToken(token),
    expiresAt: new Date(now.getTime() + expiresInDays * dayMs),
    createdAt: now
  })
  const metadata = { name, scope, expiresAt: row.expiresAt.toISOString() }
  await recordAudit(deps, trx, origin, { action: 'token.created', actorId: userId, targetId: row.id, metadata })
  return { ...tokenView(row), token }
}

export async function revokeToken(
  deps: Pick<Dependencies, 'config' | 'db' | 'events' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const row = await deleteApiToken(trx, userId, id)
    if (!row) throw noSuchToken()
    await accessChanged(deps, trx, userId)
    const metadata = { name: row.name, scope: row.scope }
    await recordAudit(deps, trx, origin, { action: 'token.revoked', actorId: userId, targetId: id, metadata })
  })
}

const noSuchToken = () => new AppError('NOT_FOUND', 'Token not found')

function tokenView(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString()
  }
}
