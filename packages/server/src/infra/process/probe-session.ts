import { Socket } from 'node:net'

interface ProbeSession {
  /** Asks over the connection of the last time, or over a new one. Rejects when there is no answer within the time. */
  ask(): Promise<void>
  close(): void
}

/**
 * A probe whose connection stays between questions: a new one costs the server a process or a thread each time. `connect` logs in on the
 * socket and resolves with the question.
 */
export function createProbeSession(
  connect: (socket: Socket) => Promise<() => Promise<unknown>>,
  limitMs: number
): ProbeSession {
  let session: { socket: Socket; question: () => Promise<unknown> } | undefined
  const close = () => {
    session?.socket.destroy()
    session = undefined
  }
  return {
    close,
    async ask() {
      const socket = session?.socket ?? new Socket().on('error', () => {}) // Whoever waits on it is told.
      const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${limitMs} ms`)), limitMs)
      try {
        session ??= { socket, question: await connect(socket) }
        await session.question()
      } catch (error) {
        close()
        socket.destroy()
        throw error
      } finally {
        clearTimeout(timer)
      }
    }
  }
}
