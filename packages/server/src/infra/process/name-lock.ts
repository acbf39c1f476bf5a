import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

export type ReleaseName = () => Promise<void>

/** Machine-wide lock as an abstract Unix socket: the kernel releases it with the process, so it is never stale. */
export async function takeName(what: string): Promise<ReleaseName | undefined> {
  const server = createServer((socket) => socket.destroy())
  server.unref()
  try {
    await once(server.listen(addressOf(what)), 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
  return () => new Promise((resolve) => server.close(() => resolve()))
}

// Exactly as long as sockaddr_un.sun_path, without a NUL after the first byte: Node.js 20 pads shorter abstract names
// with NUL, Node.js 22 does not, and newer libuv (Debian 13) refuses a NUL inside. All must use the same name.
const addressLength = 108

function addressOf(what: string): string {
  return `\0panel-${createHash('sha512').update(what).digest('hex')}`.slice(0, addressLength)
}
