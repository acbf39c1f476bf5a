import type { TokenScope } from '@panel/contract/api-tokens'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { createRateLimiter } from '../../infra/rate-limiter/rate-limiter.ts'
import { type Credentials, openAny, refuseForeignOrigin } from '../access.ts'
import { bearerOf } from '../bearer.ts'
import { limitKey } from '../client-ip.ts'
import { sessionTokensOf } from '../session.ts'
import type { LiveRequest } from './live-request.ts'

/** Of a client of the live channel: by what it came in. */
export interface LiveCredential {
  id: string
  userId: string
  scope: TokenScope | undefined
}

const nameOfSecret = /token|auth|session|secret|password|key|cookie/i

/** What is refused before there is a connection: what costs the panel nothing to know. */
export function createHandshakeGate(deps: Pick<Dependencies, 'config' | 'connectionLimits'>, count: () => number) {
  const limiter = createRateLimiter({ points: () => deps.config.LIVE_HANDSHAKES_PER_MINUTE, durationSeconds: 60 })
  return async (request: LiveRequest): Promise<void> => {
    refuseForeignOrigin(request, deps.config)
    if (!request.isHandshake) return
    // Addresses get into logs and histories.
    if ([...request.query.keys()].some((name) => nameOfSecret.test(name)))
      throw new AppError('VALIDATION_ERROR', 'No token belongs in an address: send it as a header, or as auth.token')
    const retryAfterSeconds = await limiter.hit(limitKey(request.ip))
    if (retryAfterSeconds !== undefined)
      throw new AppError('RATE_LIMITED', `Too many tries. Try again in ${retryAfterSeconds} seconds.`, {
        retryAfterSeconds
      })
    if (count() >= deps.connectionLimits.live)
      throw new AppError('BUSY', 'The live channel has as many clients as it can; try again', { retryAfterSeconds: 5 })
  }
}

/** Who opens the channel: as a request of the API says it, or by an API token beside the handshake, which browsers can send. */
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

/** For how long a client has been without the channel, if it says so as `auth.missedMs`: it is told what happened meanwhile. */
export function missedMsOf({ missedMs }: { missedMs?: unknown }): number | undefined {
  return typeof missedMs === 'number' && missedMs >= 0 ? missedMs : undefined
}
