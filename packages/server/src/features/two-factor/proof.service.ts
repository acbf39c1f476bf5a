import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { getActor, lockUser } from '../users/account-access.ts'
import { verifyPassword } from '../users/password.service.ts'
import { withSecondFactor } from './second-factor.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'now' | 'secretBox' | 'sessions'>

/**
 * Runs the operation in a transaction after verifying the password and, with two-factor, a code, so that a stolen or
 * unattended session is not enough. `prepare`, for slow work, runs after the check and before the transaction, which
 * checks again.
 */
export async function withProof<T>(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  proof: { password: string; code?: string | undefined },
  operation: (trx: Transaction) => Promise<T>,
  prepare: () => Promise<void> = () => Promise.resolve()
): Promise<T> {
  const user = await getActor(deps.db, userId)
  if (user.totpEnabled && proof.code === undefined)
    throw new AppError('FRESH_AUTH_REQUIRED', 'Enter a two-factor code or a recovery code as well')
  if (!(await verifyPassword(userId, user.passwordHash, proof.password))) {
    const entry = { actorId: userId, targetId: userId, metadata: { reason: 'INVALID_CREDENTIALS' } }
    await recordAuditAlone(deps, origin, { action: 'auth.login_failed', ...entry })
    throw wrongPassword()
  }
  const proved = async (trx: Transaction) => {
    const current = await lockUser(trx, userId)
    // The password, two-factor or the account may have changed in between.
    if (current?.passwordHash !== user.passwordHash || current.suspendedAt || current.totpEnabled !== user.totpEnabled)
      throw wrongPassword()
    return operation(trx)
  }
  if (!user.totpEnabled) {
    await prepare()
    return deps.db.transaction(proved)
  }
  const claim = async () => {
    await prepare()
    return true
  }
  return withSecondFactor(deps, origin, { user, code: proof.code!, actorId: userId, claim }, proved)
}

const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'The password is wrong')
