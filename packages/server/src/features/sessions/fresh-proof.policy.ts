import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'

/** Long enough for what users signed in to do; most stolen cookies are older. */
const proofMinutes = 15

/** Expiry of a confirmation. */
export const proofEndsAt = (provedAt: Date): Date => new Date(provedAt.getTime() + proofMinutes * 60_000)

/**
 * For routes that reveal secrets users stored themselves, so that an unattended session cannot read them. API tokens
 * are limited by their scope instead.
 */
export function requireFreshProofUnlessToken(session: Session, now: Date): void {
  if (session.provedAt !== undefined) requireFreshProof(session, now)
}

/** For routes that create access which outlives the session. Requires a recent sign-in or confirmation; rejects tokens. */
export function requireFreshProof(session: Session, now: Date): void {
  if (session.provedAt === undefined)
    throw new AppError('FORBIDDEN', 'This action requires an interactive session, not an API token. Sign in.')
  if (now <= proofEndsAt(session.provedAt)) return
  throw new AppError(
    'FRESH_AUTH_REQUIRED',
    `Confirm your password with POST /api/auth/confirm, then try again within ${proofMinutes} minutes`
  )
}
