import type { TokenScope } from '@panel/contract/api-tokens'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { createRateLimiter } from '../../infra/rate-limiter/rate-limiter.ts'
import { type Credentials, openAny, refuseForeignOrigin } from '../access.ts'
import { bearerOf } from '../bearer.ts'
import { limitKey } from '../client-ip.ts'
import { sessionTokensOf } from '../session.ts'
import type { LiveRequest } from './live-request.ts'

/** Session or API token of a live client. */
export interface LiveCredential {
  id: string
  userId: string
  scope: TokenScope | undefined
}

const nameOfSecret = /token|auth|session|secret|password|key|cookie/i

/** Cheap checks before a connection is accepted. */
export function createHandshakeGate(deps: Pick<Dependencies, 'config' | 'connectionLimits'>, count: () => number) {
  const limiter = createRateLimiter({ points: () => deps.config.LIVE_HANDSHAKES_PER_MINUTE, durationSeconds: 60 })
  return async (request: LiveRequest): Promise<void> => {
    refuseForeignOrigin(request, deps.config)
    if (!request.isHandshake) return
    // URLs end up in logs and browser histories.
    if ([...request.query.keys()].some((name) => nameOfSecret.test(name)))
      throw new AppError('VALIDATION_ERROR', 'Send the token as a header or as auth.token, not in the URL')
    const retryAfterSeconds = await limiter.hit(limitKey(request.ip))
    if (retryAfterSeconds !== undefined)
      throw new AppError('RATE_LIMITED', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
        retryAfterSeconds
      })
    if (count() >= deps.connectionLimits.live)
      throw new AppError('BUSY', 'The live channel has reached its limit of clients. Try again.', {
        retryAfterSeconds: 5
      })
  }
}

/** Authenticates like an API request, or by a token in the handshake's `auth`, because browsers cannot set headers. */
export async function resolveLiveCaller(
  deps: Pick<Dependencies, 'config'>,
  credentials: Pick<Credentials, 'openSession' | 'openToken'>,
  request: LiveRequest,
  auth: { token?: unknown }
): Promise<LiveCredential> {
  const bearer = bearerOf(request) ?? (auth.token === undefined ? undefined : String(auth.token))
  if (bearer !== undefined) {
    const { id, userId, scope } = await credentials.openToken(bearer, request.ip)
    return { id, userId, scope }
  }
  const opened = await openAny(credentials, sessionTokensOf(deps, request))
  if (!opened) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  const { id, userId } = opened.session
  return { id, userId, scope: undefined }
}

/** How long the client was disconnected, from `auth.missedMs`; events of that time are replayed. */
export function missedMsOf({ missedMs }: { missedMs?: unknown }): number | undefined {
  return typeof missedMs === 'number' && missedMs >= 0 ? missedMs : undefined
}
