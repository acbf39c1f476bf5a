import { Socket } from 'node:net'

// A running server greets at once, however long the query takes.
const greetingLimitMs = 5_000

/**
 * Runs `work` on a socket that is destroyed on timeout and at the end, so that no wait hangs and no connection leaks
 * even if the server neither responds nor closes. `onLogin` ends the greeting timeout. `keep` leaves the socket open if
 * `work` succeeds.
 * @param socket a socket kept by an earlier call
 */
export async function withBoundedSocket<T>(
  limitMs: number,
  work: (socket: Socket, onLogin: () => void, keep: () => void) => Promise<T>,
  socket = new Socket()
): Promise<T> {
  const destroyAfter = (ms: number) =>
    // What is left of a limit is an odd number.
    setTimeout(() => socket.destroy(new Error(`no answer within ${Math.ceil(ms / 100) / 10} seconds`)), ms)
  const timers = [destroyAfter(limitMs), destroyAfter(Math.min(limitMs, greetingLimitMs))]
  const destroy = () => {
    socket.on('error', () => {})
    socket.destroy()
  }
  let isKept = false
  try {
    const onLogin = () => clearTimeout(timers[1])
    const result = await work(socket, onLogin, () => void (isKept = true))
    if (!isKept) destroy()
    return result
  } catch (error) {
    destroy()
    throw error
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
