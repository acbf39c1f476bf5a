import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'

/** Long enough to do what one has signed in for, short enough that a cookie which is stolen is mostly too old. */
const proofMinutes = 15

/** Until when the password that was shown at this time counts as shown. */
export const proofEndsAt = (provedAt: Date): Date => new Date(provedAt.getTime() + proofMinutes * 60_000)

/**
 * For what shows what people have put away themselves: a screen that was left open shows none. Credentials that the panel makes are shown by their own
 * routes, each time into the audit log. A token has the scope for it, or has not.
 */
export function requireFreshProofUnlessToken(session: Session, now: Date): void {
  if (session.provedAt !== undefined) requireFreshProof(session, now)
}

/**
 * For what makes a way in that outlives the session: its person must have signed in, or confirmed the password, a short while ago. No
 * token does it.
 */
export function requireFreshProof(session: Session, now: Date): void {
  if (session.provedAt === undefined)
    throw new AppError('FORBIDDEN', 'This action requires an interactive session, not an API token. Sign in.')
  if (now <= proofEndsAt(session.provedAt)) return
  throw new AppError(
    'FRESH_AUTH_REQUIRED',
    `Confirm your password with POST /api/auth/confirm, then try again within ${proofMinutes} minutes`
  )
}
