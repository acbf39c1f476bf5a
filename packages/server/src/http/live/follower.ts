import type { Socket } from 'socket.io'
import { AppError } from '../../errors.ts'
import type { LiveFollower } from '../../features/live-subscription.ts'
import type { SendLatest } from './latest-sender.ts'

interface Options {
  socket: Socket
  caller: LiveFollower['caller']
  signal: AbortSignal
  sendLatest: SendLatest
  acknowledgeMs: number
  /** Ends the subscription. */
  end(error: unknown): void
}

/** Unacknowledged events stay in memory, so callers that do not await `send` are limited to this many. */
const maxInFlight = 64

/** What a subscription sends to its client. */
export function createFollower({ socket, caller, signal, sendLatest, acknowledgeMs, end }: Options): LiveFollower {
  const inFlight = new Set<(reason: unknown) => void>()
  signal.addEventListener('abort', () => inFlight.forEach((reject) => reject(signal.reason)), { once: true })
  return {
    caller,
    signal,
    async send(event, data) {
      signal.throwIfAborted()
      if (inFlight.size >= maxInFlight)
        throw new Error(`${event} was sent ${maxInFlight} times without an acknowledgement`)
      await new Promise<void>((resolve, reject) => {
        inFlight.add(reject)
        socket.timeout(acknowledgeMs).emit(event, data, (late: Error | null) => {
          inFlight.delete(reject)
          if (!late) return resolve()
          const error = tooSlow(event)
          reject(error)
          end(error)
        })
      })
    },
    sendLatest(event, data) {
      if (!signal.aborted) sendLatest(socket, event, data)
    }
  }
}

const tooSlow = (event: string) =>
  new AppError('REQUEST_TIMEOUT', `${event} was not acknowledged in time: call the last argument of the event`)
