import { chmodSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { threadId, workerData } from 'node:worker_threads'
import { serveRequests } from '../worker-thread/serve-requests.mjs'
import type { SiteLogIns, TakenTraffic } from './traffic.ts'
import { createTrafficCount } from './traffic-count.ts'

export type TrafficRequest = 'take' | 'take-log-ins'

// One per proxy process: after a reload the old one finishes its connections.
const maxConnections = 64
const fullBufferBytes = 8_192
const { path, restMs } = workerData as { path: string; restMs: number }
const count = createTrafficCount()
let listener: { server: Server; inode: bigint } | undefined
let isTrying = false

const inodeOf = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Takes over the socket unless another process listens on it: only one process per machine reads. */
function listen(): void {
  isTrying = true
  const other = connect(path)
  other.on('connect', () => {
    isTrying = false
    other.destroy()
  })
  other.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ECONNREFUSED'].includes(code)) takeOverSocket()
    else isTrying = false
  })
}

/** Reads in batches: receiving each line alone would cost the proxy half as much as a request. */
function pauseReading(socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), restMs)
}

function takeOverSocket(): void {
  const server = createServer({ highWaterMark: 1 }, (socket) => {
    const read = count.openReader()
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      read(text)
      if (text.length < fullBufferBytes) pauseReading(socket)
    })
    socket.on('error', () => undefined)
  })
  server.maxConnections = maxConnections
  server.on('error', () => (isTrying = false))
  // Bind elsewhere and rename: closing a server unlinks its path, where another reader's socket may be by then.
  const made = join(dirname(path), `${process.pid}.${threadId}`)
  rmSync(made, { force: true })
  server.listen(made, () => {
    isTrying = false
    // The parent directories admit only root and the proxy.
    chmodSync(made, 0o666)
    renameSync(made, path)
    listener = { server, inode: inodeOf() ?? 0n }
  })
}

/** Listens again if another process took over or the socket was removed. Open connections are kept. */
function keepListening(): void {
  if (isTrying || (listener && listener.inode === inodeOf())) return
  listener?.server.close()
  listener = undefined
  listen()
}

keepListening()
serveRequests<TrafficRequest, TakenTraffic | SiteLogIns[]>((request) => {
  keepListening()
  return { answer: request === 'take' ? count.take() : count.takeLogIns() }
})
