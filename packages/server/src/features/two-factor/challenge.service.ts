import { randomBytes } from 'node:crypto'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { createSession } from '../sessions/live-sessions.service.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { noteSignIn } from '../sign-in-places/sign-in-places.service.ts'
import { findUser, type UserRow } from '../users/account-access.ts'
import { accountStamp, withSecondFactor } from './second-factor.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'now' | 'secretBox' | 'sessions'>

const lifetimeSeconds = 300
const maxAttempts = 5

interface StoredChallenge {
  userId: string
  /** Account state when the password was verified; a later change voids the challenge. */
  stamp: string
}

/** Issued after the correct password: valid for one sign-in with a code, within five minutes. */
export async function createChallenge(deps: Pick<Deps, 'sessions'>, user: UserRow): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const challenge: StoredChallenge = { userId: user.id, stamp: accountStamp(user) }
  await deps.sessions.set(challengeKey(token), JSON.stringify(challenge), lifetimeSeconds)
  return token
}

/** Signs in with a challenge and a code. Single use, at most five attempts. Throws 2FA_INVALID_CODE. */
export async function answerChallenge(
  deps: Deps,
  origin: AuditOrigin,
  input: { challengeToken: string; code: string }
): Promise<{ user: UserRow; sessionToken: string }> {
  const key = challengeKey(input.challengeToken)
  const user = await findChallenged(deps, key)
  if (!user) throw gone()
  // Counted before the code is verified, so that parallel attempts count too; the count outlives the challenge.
  const attempt = await deps.sessions.increment(attemptsKey(input.challengeToken), lifetimeSeconds)
  if (attempt > maxAttempts) throw gone()
  const claim = async () => (await deps.sessions.take(key)) !== undefined
  const sessionToken = await withSecondFactor(
    deps,
    origin,
    { user, code: input.code, actorId: null, claim },
    async (trx) => {
      await noteSignIn(deps, trx, user, origin)
      const token = await createSession(deps, trx, origin, user.id)
      await recordAudit(deps, trx, origin, { action: 'auth.login', actorId: user.id, targetId: user.id })
      return token
    }
  )
  return { user, sessionToken }
}

async function findChallenged(deps: Pick<Deps, 'db' | 'sessions'>, key: string): Promise<UserRow | undefined> {
  const text = await deps.sessions.get(key)
  if (text === undefined) return undefined
  const challenge = JSON.parse(text) as StoredChallenge
  const user = await findUser(deps.db, challenge.userId)
  if (user && accountStamp(user) === challenge.stamp) return user
  await deps.sessions.delete(key)
  return undefined
}

const gone = () => new AppError('2FA_INVALID_CODE', 'This sign-in has expired. Start again with your password.')

const challengeKey = (token: string) => `2fa-challenge:${token}`
const attemptsKey = (token: string) => `2fa-challenge-attempts:${token}`
