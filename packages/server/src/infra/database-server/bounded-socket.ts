import { Socket } from 'node:net'

// A server that is there greets at once, however long it works afterwards.
const greetingLimitMs = 5_000

/**
 * Runs the work on a socket that is destroyed when the time is up, so that every wait on it ends, and in any case at the end: nothing of
 * a connection is left, also where the other side neither answers nor closes. The work says when it is logged in.
 */
export async function withBoundedSocket<T>(
  limitMs: number,
  work: (socket: Socket, onLogin: () => void) => Promise<T>
): Promise<T> {
  const socket = new Socket()
  const destroyAfter = (ms: number) =>
    setTimeout(() => socket.destroy(new Error(`no answer within ${ms / 1000} seconds`)), ms)
  const timers = [destroyAfter(limitMs), destroyAfter(Math.min(limitMs, greetingLimitMs))]
  try {
    return await work(socket, () => clearTimeout(timers[1]))
  } finally {
    for (const timer of timers) clearTimeout(timer)
    socket.on('error', () => {}) // Nobody waits for it any more.
    socket.destroy()
  }
}
