import type { Socket } from 'socket.io'
import { AppError } from '../../errors.ts'
import type { LiveFollower } from '../../features/feature.ts'
import type { SendLatest } from './latest-sender.ts'

interface Options {
  socket: Socket
  caller: LiveFollower['caller']
  stop: AbortController
  sendLatest: SendLatest
  limits: { acknowledgeMs: number }
  /** Ends the subscription. */
  end(error: unknown): void
}

/** Who does not wait for `send` is given this much rope: what the client has not taken lies in memory. */
const maxInFlight = 64

/** What a subscription sends to its client. */
export function createFollower({ socket, caller, stop, sendLatest, limits, end }: Options): LiveFollower {
  const { signal } = stop
  let inFlight = 0
  return {
    caller,
    signal,
    async send(event, data) {
      signal.throwIfAborted()
      if (inFlight >= maxInFlight) throw new Error(`${event} was sent ${maxInFlight} times without waiting`)
      inFlight++
      try {
        await untilAborted(signal, acknowledged(socket, event, data, limits.acknowledgeMs))
      } catch (error) {
        end(error)
        throw error
      } finally {
        inFlight--
      }
    },
    sendLatest(event, data) {
      if (!signal.aborted) sendLatest(socket.id, event, data)
    }
  }
}

const acknowledged = (socket: Socket, event: string, data: unknown, timeoutMs: number) =>
  new Promise<void>((resolve, reject) => {
    socket.timeout(timeoutMs).emit(event, data, (error: Error | null) => (error ? reject(tooSlow(event)) : resolve()))
  })

const tooSlow = (event: string) =>
  new AppError(
    'REQUEST_TIMEOUT',
    `${event} was not acknowledged in time: call what the event brings as its last argument`
  )

function untilAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
