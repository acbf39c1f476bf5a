import { chmodSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { threadId, workerData } from 'node:worker_threads'
import { serveRequests } from '../worker-thread/serve-requests.mjs'
import type { TakenTraffic } from './traffic.ts'
import { createTrafficCount } from './traffic-count.ts'

// One of each process of the proxy: after a reload the old one serves what it still has.
const maxConnections = 64
// Of the proxy's buffers: there is more.
const wholePiece = 8_192
const { path, restMs } = workerData as { path: string; restMs: number }
const count = createTrafficCount()
let ours: { server: Server; inode: bigint } | undefined
let isTrying = false

const inodeOf = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Takes the place of a reader that is gone, and of none that is there: of several processes on a machine one reads. */
function listen(): void {
  isTrying = true
  const other = connect(path)
  other.on('connect', () => {
    isTrying = false
    other.destroy()
  })
  other.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ECONNREFUSED'].includes(code)) takePlace()
    else isTrying = false
  })
}

/** Line by line, each would cost the proxy as much as half a request: what comes meanwhile it sends in one piece. */
function rest(socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), restMs)
}

function takePlace(): void {
  const server = createServer({ highWaterMark: 1 }, (socket) => {
    const read = count.openReader()
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      read(text)
      if (text.length < wholePiece) rest(socket)
    })
    socket.on('error', () => undefined)
  })
  server.maxConnections = maxConnections
  // There is no such directory any more: it is tried again with the next question.
  server.on('error', () => (isTrying = false))
  // Moved to its place, as a server removes the path that it was opened at when it closes, whose socket ever lies there by then.
  const made = join(dirname(path), `${process.pid}.${threadId}`)
  rmSync(made, { force: true })
  server.listen(made, () => {
    isTrying = false
    // Only root and the proxy come to it, by the directories above it.
    chmodSync(made, 0o666)
    renameSync(made, path)
    ours = { server, inode: inodeOf() ?? 0n }
  })
}

/** Another process may have taken the place at the same moment, or somebody may have removed the socket. Who is connected stays so. */
function keepListening(): void {
  if (isTrying || (ours && ours.inode === inodeOf())) return
  ours?.server.close()
  ours = undefined
  listen()
}

keepListening()
serveRequests<'take', TakenTraffic>(() => {
  keepListening()
  return { answer: count.take() }
})
