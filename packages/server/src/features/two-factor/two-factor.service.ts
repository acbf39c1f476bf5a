import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'
import { requireFreshProof } from '../sessions/fresh-proof.policy.ts'
import { evictSessions, revokeOtherSessions } from '../sessions/live-sessions.service.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { verifyPassword } from '../users/password.service.ts'
import { revokeAccess } from '../users/access-revocation.service.ts'
import { findUserByEmail, getCurrentUser, lockUser } from '../users/account-access.ts'
import { hashRecoveryCodes, newRecoveryCodes } from './recovery-codes.service.ts'
import { withProof } from './proof.service.ts'
import { invalidCode, withSecondFactor } from './second-factor.service.ts'
import { newTotpSecret, otpauthUrl } from './totp.policy.ts'
import { checkTotp, prepareTotpSecret } from './totp-secret.service.ts'
import { clearTwoFactor, enableTotp, forceTotp, replaceRecoveryCodes } from './two-factor.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'features' | 'now' | 'secretBox' | 'sessions'>

/** Creates a secret that `verifySetup` activates. Requires a confirmed identity: a session thief could lock the user out. */
export async function setUpTwoFactor(
  deps: Deps,
  session: Session
): Promise<{ otpauthUrl: string; qrDataUrl: string; manualKey: string }> {
  requireFreshProof(session, deps.now())
  const user = await getCurrentUser(deps, session)
  const secret = await prepareTotpSecret(deps, user.id)
  if (secret === null) throw alreadyEnabled()
  const url = otpauthUrl(secret, issuerOf(deps.config), user.email)
  // Lazy: the QR code library with its PNG encoder is large.
  const { default: QRCode } = await import('qrcode')
  return { otpauthUrl: url, qrDataUrl: await QRCode.toDataURL(url), manualKey: secret }
}

/** Enables two-factor and ends the user's other sessions, which started without it. Returns the recovery codes. */
export async function verifySetup(
  deps: Deps,
  origin: AuditOrigin,
  session: Session,
  code: string
): Promise<readonly string[]> {
  const user = await getCurrentUser(deps, session)
  if (user.totpEnabled) throw alreadyEnabled()
  const sealedSecret = user.totpSecret
  if (sealedSecret === null) throw new AppError('TWO_FACTOR_NOT_ENABLED', 'Start the two-factor setup first')
  const entry = { actorId: user.id, targetId: user.id }
  const step = await checkTotp(deps, user.id, code)
  if (step === undefined) {
    // The same code was sent twice, and the first request enabled it.
    if ((await getCurrentUser(deps, session)).totpEnabled) throw alreadyEnabled()
    await recordAuditAlone(deps, origin, { action: 'auth.2fa_failed', ...entry })
    throw invalidCode()
  }
  const codes = newRecoveryCodes()
  const hashes = await hashRecoveryCodes(deps, user.id, codes)
  const ended = await deps.db.transaction(async (trx) => {
    const now = deps.now()
    if (!(await enableTotp(trx, user.id, { sealedSecret, step, now }))) throw alreadyEnabled()
    await replaceRecoveryCodes(trx, user.id, hashes, now)
    const others = await revokeOtherSessions(deps, trx, user.id, session.id)
    await recordAudit(deps, trx, origin, { action: 'user.2fa_enabled', ...entry })
    return others
  })
  await evictSessions(deps, ended)
  return codes
}

/** Needs the password and a code; ends the user's other sessions. */
export async function disableTwoFactor(
  deps: Deps,
  origin: AuditOrigin,
  session: Session,
  input: { password: string; codeOrRecovery: string }
): Promise<void> {
  const user = await getCurrentUser(deps, session)
  if (!user.totpEnabled) throw new AppError('TWO_FACTOR_NOT_ENABLED', 'Two-factor is already disabled')
  const entry = { actorId: user.id, targetId: user.id }
  if (!(await verifyPassword(user.id, user.passwordHash, input.password))) {
    await recordAuditAlone(deps, origin, { action: 'auth.login_failed', ...entry, metadata: { reason: 'password' } })
    throw new AppError('INVALID_CREDENTIALS', 'The password is wrong')
  }
  const attempt = { user, code: input.codeOrRecovery, actorId: user.id }
  const ended = await withSecondFactor(deps, origin, attempt, async (trx) => {
    await clearTwoFactor(trx, user.id, deps.now())
    const others = await revokeOtherSessions(deps, trx, user.id, session.id)
    await recordAudit(deps, trx, origin, { action: 'user.2fa_disabled', ...entry })
    return others
  })
  await evictSessions(deps, ended)
}

/** Needs the password and a code, which may be the last recovery code. */
export async function renewRecoveryCodes(
  deps: Deps,
  origin: AuditOrigin,
  session: Session,
  input: { password: string; codeOrRecovery: string }
): Promise<readonly string[]> {
  const { id, totpEnabled } = await getCurrentUser(deps, session)
  if (!totpEnabled) throw new AppError('TWO_FACTOR_NOT_ENABLED', 'Two-factor is disabled. Enable it first.')
  const codes = newRecoveryCodes()
  let hashes: readonly string[] = []
  const proof = { password: input.password, code: input.codeOrRecovery }
  const replace = async (trx: Transaction) => {
    await replaceRecoveryCodes(trx, id, hashes, deps.now())
    await recordAudit(deps, trx, origin, { action: 'user.recovery_codes_renewed', actorId: id, targetId: id })
  }
  // Ten hashes are slow: compute them after the check, and before the transaction, which locks the account.
  await withProof(deps, origin, id, proof, replace, async () => {
    hashes = await hashRecoveryCodes(deps, id, codes)
  })
  return codes
}

/** For a user who lost both phone and recovery codes. Run by an ADMIN; ends all sessions and API tokens of the user. */
export async function resetTwoFactor(
  deps: Deps,
  origin: AuditOrigin,
  adminId: string,
  targetId: string
): Promise<void> {
  const ended = await deps.db.transaction(async (trx) => {
    if (!(await lockUser(trx, targetId))) throw new AppError('NOT_FOUND', 'Account not found')
    await clearTwoFactor(trx, targetId, deps.now())
    const sessions = await revokeAccess(deps, trx, targetId)
    await recordAudit(deps, trx, origin, { action: 'user.2fa_reset', actorId: adminId, targetId })
    return sessions
  })
  await evictSessions(deps, ended)
}

/**
 * Enables or replaces two-factor without a session: run on the server, for an ADMIN locked out by REQUIRE_ADMIN_2FA.
 * Ends all their sessions and API tokens.
 */
export async function enrolTwoFactor(
  deps: Deps,
  email: string
): Promise<{ otpauthUrl: string; recoveryCodes: readonly string[] }> {
  const user = await findUserByEmail(deps.db, email)
  const accountNotFound = () => new AppError('NOT_FOUND', `No account has the email address ${email}`)
  if (!user) throw accountNotFound()
  const secret = newTotpSecret()
  const recoveryCodes = newRecoveryCodes()
  const hashes = await hashRecoveryCodes(deps, user.id, recoveryCodes)
  const ended = await deps.db.transaction(async (trx) => {
    const now = deps.now()
    if (!(await lockUser(trx, user.id))) throw accountNotFound()
    await forceTotp(trx, user.id, deps.secretBox.seal(secret), now)
    await replaceRecoveryCodes(trx, user.id, hashes, now)
    const sessions = await revokeAccess(deps, trx, user.id)
    const metadata = { by: 'command', replaced: user.totpEnabled }
    await recordAudit(deps, trx, {}, { action: 'user.2fa_enabled', actorId: null, targetId: user.id, metadata })
    return sessions
  })
  await evictSessions(deps, ended)
  return { otpauthUrl: otpauthUrl(secret, issuerOf(deps.config), user.email), recoveryCodes }
}

/** Account label in authenticator apps. */
const issuerOf = (config: Deps['config']): string => config.PANEL_DOMAIN ?? 'Hosting panel'

const alreadyEnabled = () => new AppError('TWO_FACTOR_ENABLED', 'Two-factor is already enabled. Disable it first.')
