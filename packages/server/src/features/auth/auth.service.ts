import type { ChangePassword, Login, Register } from '@panel/contract/auth'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { forgetSessions, revokeOtherSessions, type Session } from '../../http/session.ts'
import { newId } from '../../ids.ts'
import {
  anyUserExists,
  findUser,
  findUserByEmail,
  insertUser,
  lockFirstUser,
  updatePasswordHash,
  type UserRow
} from '../users/users.repository.ts'
import { hashPassword, verifyAgainstNobody, verifyPassword } from './password.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'sessions' | 'now'>

/** The first user becomes ADMIN, whatever ALLOW_REGISTRATION says. */
export async function register(deps: Deps, input: Register): Promise<UserRow> {
  if (!deps.config.ALLOW_REGISTRATION && (await anyUserExists(deps.db))) throw registrationDisabled()
  const passwordHash = await hashPassword(input.password)
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
      maxProjects: isFirst ? null : (deps.config.DEFAULT_MAX_PROJECTS ?? null)
    })
    if (!user) throw new AppError('EMAIL_EXISTS', 'An account with this e-mail address exists already')
    return user
  })
}

/** Takes the same time for an unknown address as for a wrong password, and says the same. */
export async function login(deps: Pick<Deps, 'db'>, input: Login): Promise<UserRow> {
  const user = await findUserByEmail(deps.db, input.email)
  const matches = user
    ? await verifyPassword(user.passwordHash, input.password)
    : await verifyAgainstNobody(input.password)
  if (!user || !matches) throw new AppError('INVALID_CREDENTIALS', 'The e-mail address or the password is wrong')
  return user
}

/** Ends the user's other sessions; the caller's stays. */
export async function changePassword(deps: Deps, session: Session, input: ChangePassword): Promise<void> {
  const user = await getCurrentUser(deps, session)
  if (input.newPassword.toLowerCase() === user.email.toLowerCase()) {
    throw new AppError('VALIDATION_ERROR', 'The password must not be the e-mail address', {
      details: [{ path: 'newPassword', message: 'must not be the e-mail address' }]
    })
  }
  if (!(await verifyPassword(user.passwordHash, input.currentPassword))) {
    throw new AppError('INVALID_CREDENTIALS', 'The current password is wrong')
  }
  const passwordHash = await hashPassword(input.newPassword)
  const ended = await deps.db.transaction(async (trx) => {
    await updatePasswordHash(trx, user.id, passwordHash, deps.now())
    return revokeOtherSessions(deps, trx, user.id, session.id)
  })
  await forgetSessions(deps, ended)
}

export async function getCurrentUser(deps: Pick<Deps, 'db'>, session: Session): Promise<UserRow> {
  const user = await findUser(deps.db, session.userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  return user
}

/** Whether a stranger may register now. */
export async function isRegistrationOpen(deps: Pick<Deps, 'config' | 'db'>): Promise<boolean> {
  return deps.config.ALLOW_REGISTRATION || !(await anyUserExists(deps.db))
}

const registrationDisabled = () =>
  new AppError('REGISTRATION_DISABLED', 'Registration is closed; ask the administrator for an account')
