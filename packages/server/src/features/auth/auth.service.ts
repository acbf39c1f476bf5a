import { words } from '@panel/contract/details'
import type { ChangePassword, Confirm, Login, Register } from '@panel/contract/auth'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'
import { proofEndsAt } from '../sessions/fresh-proof.policy.ts'
import {
  createSession,
  evictSessions,
  proveSession,
  revokeOtherSessions,
  revokeSession,
  signInFailed
} from '../sessions/live-sessions.service.ts'
import { newId } from '../../security/ids.ts'
import { hasCost } from '../../security/password-hash.policy.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { deleteApiTokensOf } from '../api-tokens/api-token-access.ts'
import { noteSignIn } from '../sign-in-places/sign-in-places.service.ts'
import { createChallenge } from '../two-factor/challenge.service.ts'
import { withProof } from '../two-factor/proof.service.ts'
import { quotasOfRegistered } from '../users/allocation.service.ts'
import { changeCredentials } from '../users/access-revocation.service.ts'
import {
  anyUserExists,
  findUser,
  findUserByEmail,
  getCurrentUser,
  insertUser,
  lockFirstUser,
  lockUser,
  replacePasswordHash,
  updatePasswordHash,
  type UserRow
} from '../users/account-access.ts'
import { countWrongPassword, waitToSignIn } from './sign-in-delay.limits.ts'
import { claimFirstAccount } from './first-account.service.ts'
import { listPasswordCosts } from '../users/password-costs.service.ts'
import { addressOf, hashPassword, isOutdated, verifyAgainstNobody, verifyPassword } from '../users/password.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'failedSignIns' | 'features' | 'jobs' | 'sessions' | 'now'>

interface SignedIn {
  user: UserRow
  sessionToken: string
}

/** Throws if registration is closed. */
export async function requireRegistration(deps: Pick<Deps, 'config' | 'db'>): Promise<void> {
  if (!(await isRegistrationOpen(deps))) throw registrationDisabled()
}

/** The first user becomes ADMIN regardless of ALLOW_REGISTRATION. `isHere`: created on the server itself. */
export async function register(deps: Deps, origin: AuditOrigin, input: Register, isHere: boolean): Promise<SignedIn> {
  await requireRegistration(deps)
  // Checked again in the transaction; here to avoid an expensive hash.
  if (await findUserByEmail(deps.db, input.email)) throw emailExists()
  const passwordHash = await hashPassword(deps, addressOf(origin), input.password)
  return deps.db.transaction(async (trx) => {
    await lockFirstUser(trx)
    const isFirst = !(await anyUserExists(trx))
    if (!isFirst && !deps.config.ALLOW_REGISTRATION) throw registrationDisabled()
    if (isFirst) await claimFirstAccount(trx, { token: input.setupToken, isHere })
    const user = await insertUser(trx, {
      id: newId(),
      name: input.name,
      email: input.email,
      passwordHash,
      role: isFirst ? 'ADMIN' : 'USER',
      ...(isFirst ? {} : quotasOfRegistered(deps.config))
    })
    if (!user) throw emailExists()
    const sessionToken = await createSession(deps, trx, origin, user.id)
    await recordAudit(deps, trx, origin, { action: 'user.registered', actorId: user.id, targetId: user.id })
    return { user, sessionToken }
  })
}

/**
 * Same answer and same time for an unknown address and a wrong password, so that addresses cannot be enumerated. With
 * two-factor it returns a challenge and starts no session.
 */
export async function login(
  deps: Deps,
  origin: AuditOrigin,
  input: Login
): Promise<SignedIn | { challengeToken: string }> {
  const user = await findUserByEmail(deps.db, input.email)
  const endWait = await waitToSignIn(deps, origin, input.email, user)
  const matches = await verify(deps, origin, user, input.password).finally(endWait)
  if (!matches) {
    await countWrongPassword(deps, input.email)
    await signInFailed(deps, origin)
  }
  const refusal = loginRefusal(deps.config, matches ? user : undefined)
  if (refusal) {
    // Do not record the submitted address: it may be a password typed into the wrong field.
    const entry = { actorId: null, targetId: user?.id ?? null, metadata: { reason: refusal.code } }
    await recordAuditAlone(deps, origin, { action: 'auth.login_failed', ...entry })
    throw refusal
  }
  const known = await withCurrentHash(deps, origin, user!, input.password)
  const { id, passwordHash, totpEnabled } = known
  if (totpEnabled) return { challengeToken: await createChallenge(deps, known) }
  return deps.db.transaction(async (trx) => {
    // A password change, a suspension or two-factor may have come in between.
    const current = await lockUser(trx, id)
    if (current?.passwordHash !== passwordHash || current.totpEnabled) throw wrongCredentials()
    const changed = loginRefusal(deps.config, current)
    if (changed) throw changed
    await noteSignIn(deps, trx, current, origin)
    const sessionToken = await createSession(deps, trx, origin, id)
    await recordAudit(deps, trx, origin, { action: 'auth.login', actorId: id, targetId: id })
    return { user: current, sessionToken }
  })
}

async function verify(deps: Deps, origin: AuditOrigin, user: UserRow | undefined, password: string): Promise<boolean> {
  const owner = addressOf(origin)
  if (user && (await verifyPassword(owner, user.passwordHash, password))) return true
  // Verify at every cost in use (PASSWORD_HASH may have changed), so that all addresses take the same time.
  const costs = await listPasswordCosts(deps)
  return verifyAgainstNobody(owner, password, user ? costs.filter((cost) => !hasCost(user.passwordHash, cost)) : costs)
}

/** Rehashes after a change of PASSWORD_HASH, because the plain-text password is available only at sign-in. */
async function withCurrentHash(deps: Deps, origin: AuditOrigin, user: UserRow, password: string): Promise<UserRow> {
  if (!isOutdated(deps, user.passwordHash)) return user
  const passwordHash = await hashPassword(deps, addressOf(origin), password)
  const changed = await replacePasswordHash(deps.db, user, passwordHash)
  if (changed) return changed
  // Another sign-in rehashed first, or the password was changed.
  const current = await findUser(deps.db, user.id)
  if (current && (await verifyPassword(addressOf(origin), current.passwordHash, password))) return current
  throw wrongCredentials()
}

/** Reason to refuse the sign-in; `user` is undefined if the address or password is wrong. */
function loginRefusal(config: Deps['config'], user: UserRow | undefined): AppError | undefined {
  if (!user) return wrongCredentials()
  if (user.suspendedAt) return new AppError('ACCOUNT_SUSPENDED', 'This account is suspended. Ask an administrator.')
  if (config.REQUIRE_ADMIN_2FA && user.role === 'ADMIN' && !user.totpEnabled) {
    return new AppError(
      'ADMIN_2FA_REQUIRED',
      'Administrators need two-factor here. Set it up on the server with the panel command "user enrol-2fa <email address>"'
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

/** Marks the session as recently confirmed. Returns when that expires. */
export async function confirm(
  deps: Deps & Pick<Dependencies, 'secretBox'>,
  origin: AuditOrigin,
  session: Session,
  proof: Confirm
): Promise<Date> {
  await withProof(deps, origin, session.userId, proof, async (trx) => {
    await proveSession(deps, trx, session.id)
    await recordAudit(deps, trx, origin, {
      action: 'auth.confirmed',
      actorId: session.userId,
      targetId: session.userId
    })
  })
  await evictSessions(deps, [session.id])
  return proofEndsAt(deps.now())
}

/** Ends the user's other sessions and, unless kept, revokes API tokens. Returns the number of revoked tokens. */
export async function changePassword(
  deps: Deps,
  origin: AuditOrigin,
  session: Session,
  input: ChangePassword
): Promise<number> {
  const user = await getCurrentUser(deps, session)
  if (input.newPassword.toLowerCase() === user.email.toLowerCase()) {
    throw new AppError('VALIDATION_ERROR', 'The password must not be the email address', {
      details: [{ path: 'newPassword', message: words.EMAIL_AS_PASSWORD }]
    })
  }
  if (!(await verifyPassword(user.id, user.passwordHash, input.currentPassword))) {
    const entry = { actorId: user.id, targetId: user.id, metadata: { reason: 'INVALID_CREDENTIALS' } }
    await recordAuditAlone(deps, origin, { action: 'auth.login_failed', ...entry })
    throw wrongCurrentPassword()
  }
  const passwordHash = await hashPassword(deps, user.id, input.newPassword)
  const { others, tokens } = await deps.db.transaction(async (trx) => {
    const current = await lockUser(trx, user.id)
    if (current?.passwordHash !== user.passwordHash) throw wrongCurrentPassword()
    await updatePasswordHash(trx, user.id, passwordHash, deps.now())
    await changeCredentials(deps, trx, user.id)
    const others = await revokeOtherSessions(deps, trx, user.id, session.id)
    const tokens = input.revokeTokens ? await deleteApiTokensOf(trx, user.id) : 0
    await recordAudit(deps, trx, origin, {
      action: 'user.password_changed',
      actorId: user.id,
      targetId: user.id,
      metadata: tokens > 0 ? { revokedTokens: tokens } : {}
    })
    return { others, tokens }
  })
  await evictSessions(deps, others)
  return tokens
}

export async function isRegistrationOpen(deps: Pick<Deps, 'config' | 'db'>): Promise<boolean> {
  return deps.config.ALLOW_REGISTRATION || !(await anyUserExists(deps.db))
}

const registrationDisabled = () =>
  new AppError('REGISTRATION_DISABLED', 'Registration is closed. Ask an administrator for an account.')

const emailExists = () => new AppError('EMAIL_EXISTS', 'An account with this email address already exists')

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', 'The email address or the password is wrong')

const wrongCurrentPassword = () => new AppError('INVALID_CREDENTIALS', 'The current password is wrong')
