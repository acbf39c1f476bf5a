import { createHash } from 'node:crypto'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { signInFailed } from '../sessions/live-sessions.service.ts'
import { lockUser, type UserRow } from '../users/account-access.ts'
import { matchRecoveryCode } from './recovery-codes.service.ts'
import { checkTotp } from './totp-secret.service.ts'
import { acceptStep, listUnusedRecoveryCodes, markRecoveryCodeUsed } from './two-factor.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'now' | 'secretBox' | 'sessions'>
type Proof = { step: number } | { recoveryCodeId: string }

// Against guesses from many addresses, which the limit per client does not stop. Attempts need the password first, so a
// stranger cannot lock a user out.
const accountWindowSeconds = 3600
const accountLimit = (config: Dependencies['config']) => 2 * config.AUTH_RATE_LIMIT_MAX

export const invalidCode = () =>
  new AppError('2FA_INVALID_CODE', 'The code is wrong, expired or was used already. Enter a new one.')

/**
 * Runs `operation` in the transaction that consumes the code: a TOTP code or an unused recovery code. Exactly one of
 * parallel uses succeeds. `claim` runs after the code is verified and before the transaction; false refuses. Throws
 * 2FA_INVALID_CODE.
 */
export async function withSecondFactor<T>(
  deps: Deps,
  origin: AuditOrigin,
  attempt: { user: UserRow; code: string; actorId: string | null; claim?: () => Promise<boolean> },
  operation: (trx: Transaction) => Promise<T>
): Promise<T> {
  const { user, code, actorId, claim } = attempt
  await countAttempt(deps, user.id)
  const proof = await match(deps, user, code.replaceAll(/\s/g, ''))
  if (proof && (!claim || (await claim()))) {
    const done = await deps.db.transaction(async (trx) => {
      const locked = await lockUser(trx, user.id)
      if (!locked || accountStamp(locked) !== accountStamp(user) || !(await spend(deps, trx, user.id, proof))) return
      const result = { value: await operation(trx) }
      if ('recoveryCodeId' in proof) {
        await recordAudit(deps, trx, origin, { action: 'auth.recovery_code_used', actorId: user.id, targetId: user.id })
      }
      return result
    })
    if (done) {
      await deps.sessions.delete(attemptsKey(user.id))
      return done.value
    }
  }
  await recordAuditAlone(deps, origin, { action: 'auth.2fa_failed', actorId, targetId: user.id })
  await signInFailed(deps, origin)
  throw invalidCode()
}

/** Changes whenever an earlier proof becomes invalid: password, secret, suspension or account data changed. */
export function accountStamp(user: UserRow): string {
  const { passwordHash, totpEnabled, totpSecret, suspendedAt, updatedAt } = user
  const facts = JSON.stringify([passwordHash, totpEnabled, totpSecret, suspendedAt, updatedAt])
  return createHash('sha256').update(facts).digest('base64url')
}

/** Counted before the code is verified, so that parallel attempts count too. */
async function countAttempt(deps: Deps, userId: string): Promise<void> {
  const attempts = await deps.sessions.increment(attemptsKey(userId), accountWindowSeconds)
  if (attempts <= accountLimit(deps.config)) return
  throw new AppError('RATE_LIMITED', 'Too many wrong codes for this account. Try again in an hour.', {
    retryAfterSeconds: accountWindowSeconds
  })
}

async function match(deps: Deps, user: UserRow, code: string): Promise<Proof | undefined> {
  if (!user.totpEnabled || user.totpSecret === null) return undefined
  const step = await checkTotp(deps, user.id, code)
  if (step !== undefined) return { step }
  const recoveryCodeId = await matchRecoveryCode(user.id, await listUnusedRecoveryCodes(deps.db, user.id), code)
  return recoveryCodeId === undefined ? undefined : { recoveryCodeId }
}

const spend = (deps: Deps, trx: Transaction, userId: string, proof: Proof): Promise<boolean> =>
  'step' in proof ? acceptStep(trx, userId, proof.step) : markRecoveryCodeUsed(trx, proof.recoveryCodeId, deps.now())

const attemptsKey = (userId: string) => `2fa-attempts:${userId}`
