import type { ChangePassword, Login, Register } from '@panel/contract/auth'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'
import { createSession, evictSessions, revokeOtherSessions, revokeSession } from '../sessions/live-sessions.service.ts'
import { newId } from '../../ids.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { createChallenge } from '../two-factor/challenge.service.ts'
import { defaultQuotas } from '../users/allocation.service.ts'
import { changeCredentials } from '../users/access-revocation.service.ts'
import {
  anyUserExists,
  findUserByEmail,
  getCurrentUser,
  insertUser,
  lockFirstUser,
  lockUser,
  updatePasswordHash,
  type UserRow
} from '../users/account-access.ts'
import { addressOf, hashPassword, verifyAgainstNobody, verifyPassword } from '../users/password.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'features' | 'sessions' | 'now'>

/** Somebody who has just been let in. */
interface SignedIn {
  user: UserRow
  /** For the cookie. */
  sessionToken: string
}

/** The first user becomes ADMIN, whatever ALLOW_REGISTRATION says. */
export async function register(deps: Deps, origin: AuditOrigin, input: Register): Promise<SignedIn> {
  if (!deps.config.ALLOW_REGISTRATION && (await anyUserExists(deps.db))) throw registrationDisabled()
  // Said here what is said below: the dear part comes last.
  if (await findUserByEmail(deps.db, input.email)) throw emailExists()
  const passwordHash = await hashPassword(addressOf(origin), input.password)
  return deps.db.transaction(async (trx) => {
    await lockFirstUser(trx)
    const isFirst = !(await anyUserExists(trx))
    if (!isFirst && !deps.config.ALLOW_REGISTRATION) throw registrationDisabled()
    const user = await insertUser(trx, {
      id: newId(),
      name: input.name,
      email: input.email,
      passwordHash,
      role: isFirst ? 'ADMIN' : 'USER',
      ...(isFirst ? {} : defaultQuotas(deps.config))
    })
    if (!user) throw emailExists()
    const sessionToken = await createSession(deps, trx, origin, user.id)
    await recordAudit(deps, trx, origin, { action: 'user.registered', actorId: user.id, targetId: user.id })
    return { user, sessionToken }
  })
}

/**
 * Takes the same time for an unknown address as for a wrong password, and says the same. Only who has the password learns more. With
 * two-factor there is no session yet, but a challenge.
 */
export async function login(
  deps: Deps,
  origin: AuditOrigin,
  input: Login
): Promise<SignedIn | { challengeToken: string }> {
  const user = await findUserByEmail(deps.db, input.email)
  const matches = user
    ? await verifyPassword(addressOf(origin), user.passwordHash, input.password)
    : await verifyAgainstNobody(addressOf(origin), input.password)
  const refusal = loginRefusal(deps.config, matches ? user : undefined)
  if (refusal) {
    // Never the address as it was typed: it may be a password in the wrong field.
    const entry = { actorId: null, targetId: user?.id ?? null, metadata: { reason: refusal.code } }
    await recordAuditAlone(deps, origin, { action: 'auth.login_failed', ...entry })
    throw refusal
  }
  const { id, passwordHash, totpEnabled } = user!
  if (totpEnabled) return { challengeToken: await createChallenge(deps, user!) }
  return deps.db.transaction(async (trx) => {
    // As it is now: a password change, a suspension or two-factor may have come in between.
    const current = await lockUser(trx, id)
    if (current?.passwordHash !== passwordHash || current.totpEnabled) throw wrongCredentials()
    const changed = loginRefusal(deps.config, current)
    if (changed) throw changed
    const sessionToken = await createSession(deps, trx, origin, id)
    await recordAudit(deps, trx, origin, { action: 'auth.login', actorId: id, targetId: id })
    return { user: current, sessionToken }
  })
}

/** Why somebody is not let in; `user` is undefined where address or password are wrong. */
function loginRefusal(config: Deps['config'], user: UserRow | undefined): AppError | undefined {
  if (!user) return wrongCredentials()
  if (user.suspendedAt) return new AppError('ACCOUNT_SUSPENDED', 'This account is suspended; ask the administrator')
  if (config.REQUIRE_ADMIN_2FA && user.role === 'ADMIN' && !user.totpEnabled) {
    return new AppError(
      'ADMIN_2FA_REQUIRED',
      'Administrators need two-factor here. On the server, run: ./panel user enrol-2fa <e-mail address>'
    )
  }
  return undefined
}

export async function logout(deps: Deps, origin: AuditOrigin, session: Session): Promise<void> {
  await deps.db.transaction(async (trx) => {
    if (!(await revokeSession(deps, trx, session.id))) return
    await recordAudit(deps, trx, origin, { action: 'auth.logout', actorId: session.userId, targetId: session.userId })
  })
  await evictSessions(deps, [session.id])
}

/** Ends the user's other sessions; the caller's stays. */
export async function changePassword(
  deps: Deps,
  origin: AuditOrigin,
  session: Session,
  input: ChangePassword
): Promise<void> {
  const user = await getCurrentUser(deps, session)
  if (input.newPassword.toLowerCase() === user.email.toLowerCase()) {
    throw new AppError('VALIDATION_ERROR', 'The password must not be the e-mail address', {
      details: [{ path: 'newPassword', message: 'must not be the e-mail address' }]
    })
  }
  if (!(await verifyPassword(user.id, user.passwordHash, input.currentPassword))) {
    const entry = { actorId: user.id, targetId: user.id, metadata: { reason: 'INVALID_CREDENTIALS' } }
    await recordAuditAlone(deps, origin, { action: 'auth.login_failed', ...entry })
    throw wrongCurrentPassword()
  }
  const passwordHash = await hashPassword(user.id, input.newPassword)
  const ended = await deps.db.transaction(async (trx) => {
    const current = await lockUser(trx, user.id)
    if (current?.passwordHash !== user.passwordHash) throw wrongCurrentPassword()
    await updatePasswordHash(trx, user.id, passwordHash, deps.now())
    await changeCredentials(deps, trx, user.id)
    const others = await revokeOtherSessions(deps, trx, user.id, session.id)
    await recordAudit(deps, trx, origin, { action: 'user.password_changed', actorId: user.id, targetId: user.id })
    return others
  })
  await evictSessions(deps, ended)
}

/** Whether a stranger may register now. */
export async function isRegistrationOpen(deps: Pick<Deps, 'config' | 'db'>): Promise<boolean> {
  return deps.config.ALLOW_REGISTRATION || !(await anyUserExists(deps.db))
}

const registrationDisabled = () =>
  new AppError('REGISTRATION_DISABLED', 'Registration is closed; ask the administrator for an account')

const emailExists = () => new AppError('EMAIL_EXISTS', 'An account with this e-mail address exists already')

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', 'The e-mail address or the password is wrong')

const wrongCurrentPassword = () => new AppError('INVALID_CREDENTIALS', 'The current password is wrong')
