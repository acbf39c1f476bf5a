import { words } from '@panel/contract/details'
import { createHash, randomBytes } from 'node:crypto'
import { Password } from '@panel/contract/users'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { evictSessions } from '../sessions/live-sessions.service.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { hashPassword } from '../users/password.service.ts'
import { changeCredentials, revokeAccess } from '../users/access-revocation.service.ts'
import { findUser, findUserByEmail, lockUser, updatePasswordHash, type UserRow } from '../users/account-access.ts'
import {
  dropPasswordReset,
  findPasswordReset,
  findPasswordResetOf,
  putPasswordReset,
  takePasswordReset
} from './password-resets.repository.ts'
import { renderInvitation, renderResetMail } from './reset-mail.render.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'features' | 'jobs' | 'mailer' | 'now' | 'sessions'>

const lifetimeMinutes = 30
/** Longer than for a reset: the recipient of an invitation does not expect it. */
const invitationDays = 7
// Per address, regardless of the number and origin of requests.
const mailEveryMs = 60_000

interface ResetRequest {
  email: string
  ip?: string | undefined
  userAgent?: string | undefined
  /** For a new account that has no password yet. */
  invitation?: boolean | undefined
}

/**
 * Only enqueues a job. Same answer and same time whether or not the account exists, so that addresses cannot be
 * enumerated.
 */
export async function requestPasswordReset(deps: Deps, request: ResetRequest): Promise<void> {
  if (!deps.mailer.isConfigured())
    throw new AppError(
      'MAIL_UNAVAILABLE',
      'This panel cannot send email. Ask an administrator to set a new password for you.'
    )
  const key = sha256(request.email.toLowerCase())
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'accounts.password-reset', request, { key }))
}

/** Runs in the worker. A mail that cannot be sent fails the job, and the retry creates a new link. */
export async function sendPasswordReset(deps: Deps, request: ResetRequest): Promise<void> {
  const found = await findUserByEmail(deps.db, request.email)
  if (!found || !deps.mailer.isConfigured()) return
  const token = randomBytes(32).toString('base64url')
  const recipient = await deps.db.transaction(async (trx) => {
    const user = await lockUser(trx, found.id)
    const earlier = await findPasswordResetOf(trx, found.id)
    const now = deps.now()
    if (!user || user.suspendedAt !== null) return undefined
    if (earlier && now.getTime() - earlier.createdAt.getTime() < mailEveryMs) return undefined
    const minutes = request.invitation ? invitationDays * 24 * 60 : lifetimeMinutes
    const expiresAt = new Date(now.getTime() + minutes * 60_000)
    await putPasswordReset(trx, { userId: user.id, tokenHash: sha256(token), expiresAt, createdAt: now })
    if (request.invitation) return user
    const origin = {
      ...(request.ip === undefined ? {} : { ip: request.ip }),
      headers: { 'user-agent': request.userAgent }
    }
    await recordAudit(deps, trx, origin, {
      action: 'user.password_reset_requested',
      actorId: null,
      targetId: user.id
    })
    return user
  })
  if (!recipient) return
  try {
    await deps.mailer.send(
      request.invitation
        ? renderInvitation(deps.config, recipient, token, invitationDays)
        : renderResetMail(deps.config, recipient, token, lifetimeMinutes)
    )
  } catch (error) {
    // Drop the undelivered link, which would block the retry.
    await deps.db.transaction((trx) => dropPasswordReset(trx, recipient.id))
    throw error
  }
}

/** Sets a new password with a mailed link. Two-factor stays on, so that mailbox access alone is not enough. */
export async function resetPassword(
  deps: Deps,
  origin: AuditOrigin,
  { token, newPassword }: { token: string; newPassword: string }
): Promise<void> {
  const tokenHash = sha256(token)
  const link = await findPasswordReset(deps.db, tokenHash, deps.now())
  const user = link && (await findUser(deps.db, link.userId))
  if (!user || user.suspendedAt !== null) throw linkInvalid()
  refuseAddressAsPassword(user, newPassword)
  const passwordHash = await hashPassword(deps, user.id, newPassword)
  const ended = await deps.db.transaction(async (trx) => {
    const current = await lockUser(trx, user.id)
    const isTaken = await takePasswordReset(trx, tokenHash, deps.now())
    if (!current || current.suspendedAt !== null || !isTaken) throw linkInvalid()
    return replacePassword(deps, trx, origin, { userId: user.id, passwordHash, by: 'link' })
  })
  await evictSessions(deps, ended)
}

/** Run on the server, for a user who cannot sign in. */
export async function setPasswordByAddress(
  deps: Pick<Deps, 'config' | 'db' | 'events' | 'features' | 'now' | 'sessions'>,
  email: string,
  password: string
): Promise<void> {
  const user = await findUserByEmail(deps.db, email)
  if (!user) throw new AppError('NOT_FOUND', `No account has the email address ${email}`)
  if (!Password.safeParse(password).success)
    throw new AppError('VALIDATION_ERROR', 'A password has 8 to 128 characters')
  refuseAddressAsPassword(user, password)
  const passwordHash = await hashPassword(deps, user.id, password)
  const ended = await deps.db.transaction(async (trx) => {
    await lockUser(trx, user.id)
    return replacePassword(deps, trx, {}, { userId: user.id, passwordHash, by: 'command' })
  })
  await evictSessions(deps, ended)
}

/** Sets a password and ends all sessions. Returns the sessions to evict after the commit. */
async function replacePassword(
  deps: Pick<Deps, 'config' | 'events' | 'features' | 'now'>,
  trx: Transaction,
  origin: AuditOrigin,
  { userId, passwordHash, by }: { userId: string; passwordHash: string; by: 'link' | 'command' }
): Promise<string[]> {
  await updatePasswordHash(trx, userId, passwordHash, deps.now())
  await changeCredentials(deps, trx, userId)
  const ended = await revokeAccess(deps, trx, userId)
  await recordAudit(deps, trx, origin, {
    action: 'user.password_reset',
    actorId: null,
    targetId: userId,
    metadata: { by }
  })
  return ended
}

function refuseAddressAsPassword(user: Pick<UserRow, 'email'>, password: string): void {
  if (password.toLowerCase() !== user.email.toLowerCase()) return
  throw new AppError('VALIDATION_ERROR', 'The password must not be the email address', {
    details: [{ path: 'newPassword', message: words.EMAIL_AS_PASSWORD }]
  })
}

const linkInvalid = () =>
  new AppError('LINK_INVALID', 'This link is wrong, expired or was used already. Request a new one.')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
