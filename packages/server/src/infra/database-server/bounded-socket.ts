import { Socket } from 'node:net'

// A server that is there greets at once, however long it works afterwards.
const greetingLimitMs = 5_000

/**
 * Runs the work on a socket that is destroyed when the time is up, so that every wait on it ends, and at the end: nothing of a connection
 * is left, also where the other side neither answers nor closes. The work says when it is logged in. What it keeps, it keeps by its own
 * choice and only if it ends well.
 * @param socket one that was kept before
 */
export async function withBoundedSocket<T>(
  limitMs: number,
  work: (socket: Socket, onLogin: () => void, keep: () => void) => Promise<T>,
  socket = new Socket()
): Promise<T> {
  const destroyAfter = (ms: number) =>
    setTimeout(() => socket.destroy(new Error(`no answer within ${ms / 1000} seconds`)), ms)
  const timers = [destroyAfter(limitMs), destroyAfter(Math.min(limitMs, greetingLimitMs))]
  const destroy = () => {
    socket.on('error', () => {}) // Nobody waits for it any more.
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
