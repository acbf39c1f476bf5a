/** What the WebSocket of a browser and that of the package `ws` have in common. */
export interface TerminalSocket {
  binaryType: string
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(): void
}

export type TerminalEndReason =
  | 'EXITED'
  | 'CLOSED'
  | 'IDLE'
  | 'TOO_LONG'
  | 'ACCESS_ENDED'
  | 'CONTAINER_STOPPED'
  | 'PANEL_STOPPED'
  | 'PROTOCOL'
  | 'FAILED'

export interface TerminalEnded {
  /** DISCONNECTED if the connection was refused or lost. */
  reason: TerminalEndReason | 'DISCONNECTED'
  exitCode?: number
  /** Of the API, if the terminal could not be opened. */
  code?: string
  message?: string
}

interface TerminalOptions {
  columns: number
  rows: number
  /** A shell line or arguments; without it a shell. */
  command?: string | readonly string[] | undefined
  onReady(): void
  /** Call `done` once the bytes were shown: output waits on the server until then. */
  onOutput(bytes: Uint8Array, done: () => void): void
  /** Called once. */
  onEnd(ended: TerminalEnded): void
}

export interface TerminalSession {
  /** Resolves once everything was sent, which is as fast as the program reads, or the terminal has ended. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  resize(columns: number, rows: number): void
  close(): void
}

const messageBytes = 16 * 1024

type Event = { type: 'ready'; windowBytes: number } | { type: 'ack'; bytes: number } | ({ type: 'end' } & TerminalEnded)

/** Speaks the protocol of `GET /api/projects/:id/terminal` on a new WebSocket. */
export function startTerminal(socket: TerminalSocket, options: TerminalOptions): TerminalSession {
  const { columns, rows, command, onReady, onOutput, onEnd } = options
  const queue: { bytes: Uint8Array<ArrayBuffer>; sent?: () => void }[] = []
  let room = 0
  let isReady = false
  let isEnded = false
  const send = (message: object) => socket.send(JSON.stringify(message))
  const end = (ended: TerminalEnded) => {
    if (isEnded) return
    isEnded = true
    for (const { sent } of queue.splice(0)) sent?.()
    socket.close()
    onEnd(ended)
  }
  const flush = () => {
    while (!isEnded && room > 0 && queue.length > 0) {
      const next = queue[0]!
      const piece = next.bytes.subarray(0, Math.min(room, messageBytes))
      next.bytes = next.bytes.subarray(piece.length)
      room -= piece.length
      if (piece.length > 0) socket.send(piece)
      if (next.bytes.length > 0) continue
      queue.shift()
      next.sent?.()
    }
  }
  const take = (event: Event) => {
    switch (event.type) {
      case 'ready':
        isReady = true
        room = event.windowBytes
        onReady()
        return flush()
      case 'ack':
        room += event.bytes
        return flush()
      case 'end': {
        const { type: _type, ...ended } = event
        return end(ended)
      }
    }
  }
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => send({ type: 'start', columns, rows, ...(command === undefined ? {} : { command }) })
  socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => {
    if (typeof data === 'string') return take(JSON.parse(data) as Event)
    const bytes = new Uint8Array(data)
    onOutput(bytes, () => {
      if (!isEnded) send({ type: 'ack', bytes: bytes.length })
    })
  }
  socket.onclose = () => end({ reason: 'DISCONNECTED' })
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (isEnded) return resolve()
        queue.push({ bytes, sent: resolve })
        flush()
      }),
    resize(columns, rows) {
      if (isReady && !isEnded) send({ type: 'resize', columns, rows })
    },
    close: () => end({ reason: 'CLOSED' })
  }
}
