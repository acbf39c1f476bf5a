import { Socket } from 'node:net'

interface ProbeSession {
  /** Probes over the open connection or a new one. Rejects if there is no response within the limit. */
  ask(): Promise<void>
  close(): void
}

/** Keeps its connection, because each new one costs the server a process or thread. */
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
      const socket = session?.socket ?? new Socket().on('error', () => {}) // errors surface in the pending call
      const timer = setTimeout(() => socket.destroy(new Error(`no response within ${limitMs} ms`)), limitMs)
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
