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

// Padded to the full size of sockaddr_un.sun_path: Node.js 20 pads abstract names, Node.js 22 does not, and the two
// would not exclude each other.
const addressLength = 108

function addressOf(what: string): string {
  return `\0panel-${createHash('sha256').update(what).digest('hex').slice(0, 32)}`.padEnd(addressLength, '\0')
}
