import { randomBytes } from 'node:crypto'
import type { ApiToken, CreateApiToken } from '@panel/contract/api-tokens'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { verifyPassword } from '../users/password.service.ts'
import { withSecondFactor } from '../two-factor/second-factor.service.ts'
import { getActor, lockUser } from '../users/account-access.ts'
import {
  type ApiTokenRow,
  countApiTokens,
  deleteApiToken,
  deleteExpiredApiTokens,
  insertApiToken,
  listApiTokens
} from './api-tokens.repository.ts'
import { hashToken, tokenPrefix } from './token-format.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now' | 'secretBox' | 'sessions'>

const maxPerUser = 50
const dayMs = 24 * 3600 * 1000

export async function listOwnTokens(deps: Pick<Deps, 'db'>, userId: string): Promise<ApiToken[]> {
  return (await listApiTokens(deps.db, userId)).map(tokenView)
}

/** Takes the password again, and with two-factor a code: a stolen session makes no key that outlives it. */
export async function createToken(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  input: CreateApiToken
): Promise<ApiToken & { token: string }> {
  const user = await getActor(deps.db, userId)
  if (user.totpEnabled && input.code === undefined)
    throw new AppError('FRESH_AUTH_REQUIRED', 'Send a two-factor code, or a recovery code, as well')
  if (!(await verifyPassword(userId, user.passwordHash, input.password))) {
    const entry = { actorId: userId, targetId: userId, metadata: { reason: 'INVALID_CREDENTIALS' } }
    await recordAuditAlone(deps, origin, { action: 'auth.login_failed', ...entry })
    throw wrongPassword()
  }
  const create = async (trx: Transaction) => {
    const current = await lockUser(trx, userId)
    // As it is now: the password, two-factor or the account itself may have changed in between.
    if (current?.passwordHash !== user.passwordHash || current.suspendedAt || current.totpEnabled !== user.totpEnabled)
      throw wrongPassword()
    return insertNewToken(deps, trx, origin, userId, input)
  }
  if (!user.totpEnabled) return deps.db.transaction(create)
  return withSecondFactor(deps, origin, { user, code: input.code!, actorId: userId }, create)
}

async function insertNewToken(
  deps: Pick<Deps, 'config' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  userId: string,
  { name, scope, expiresInDays }: CreateApiToken
): Promise<ApiToken & { token: string }> {
  const now = deps.now()
  await deleteExpiredApiTokens(trx, userId, now)
  if ((await countApiTokens(trx, userId)) >= maxPerUser)
    throw new AppError('CONFLICT', `You have ${maxPerUser} tokens already; revoke one first`)
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
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const row = await deleteApiToken(trx, userId, id)
    if (!row) throw new AppError('NOT_FOUND', 'You have no such token')
    const metadata = { name: row.name, scope: row.scope }
    await recordAudit(deps, trx, origin, { action: 'token.revoked', actorId: userId, targetId: id, metadata })
  })
}

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

const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'The password is wrong')
