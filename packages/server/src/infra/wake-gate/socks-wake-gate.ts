import { chmodSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Endpoint } from '../container-engine/container-engine.ts'
import { parseSocksRequest, socksRefusal } from './socks-request.ts'
import type { WakeGate } from './wake-gate.ts'

const maxWaiting = 4_096
const requestWithinMs = 5_000

/** A SOCKS4 proxy for HAProxy on a Unix socket, which refuses every connection once the container is ready. */
export function createSocksWakeGate(path: string, { checkEveryMs = 2_000 } = {}): WakeGate {
  return {
    open(wake) {
      const sockets = new Set<Socket>()
      let listener: { server: Server; inode: bigint } | undefined
      const accept = (socket: Socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
        serve(socket, wake)
      }
      /** Listens unless another process does; again if the proxy's directory was made anew. */
      const keepListening = () => {
        if (listener && listener.inode === inodeOf(path)) return
        listener?.server.close()
        listener = undefined
        const other = connect(path)
        other.on('connect', () => other.destroy())
        other.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
          if (!['ECONNREFUSED', 'ENOENT'].includes(code) || isClosed) return
          const server = createServer(accept)
          server.maxConnections = maxWaiting
          // Before the proxy ran for the first time there is no directory.
          server.on('error', () => {})
          // Bind elsewhere and rename: closing a server unlinks its path, where another process's socket may be by then.
          const made = join(dirname(path), `wake.${process.pid}`)
          rmSync(made, { force: true })
          server.listen(made, () => {
            // The parent directories admit only root and the proxy.
            chmodSync(made, 0o666)
            renameSync(made, path)
            listener = { server, inode: inodeOf(path) ?? 0n }
          })
        })
      }
      let isClosed = false
      keepListening()
      const timer = setInterval(keepListening, checkEveryMs).unref()
      return {
        async close() {
          isClosed = true
          clearInterval(timer)
          for (const socket of sockets) socket.destroy()
          const server = listener?.server
          if (server) await new Promise((resolve) => server.close(resolve))
        }
      }
    }
  }
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

function serve(socket: Socket, wake: (endpoint: Endpoint) => Promise<void>): void {
  let bytes = Buffer.alloc(0)
  const late = setTimeout(() => socket.destroy(), requestWithinMs)
  socket.on('close', () => clearTimeout(late))
  socket.on('data', function read(chunk: Buffer) {
    bytes = Buffer.concat([bytes, chunk])
    const endpoint = parseSocksRequest(bytes)
    if (endpoint === undefined) return
    clearTimeout(late)
    socket.off('data', read)
    if (endpoint === 'invalid') return void socket.destroy()
    socket.resume()
    const refuse = () => socket.end(socksRefusal)
    wake(endpoint).then(refuse, refuse)
  })
}
