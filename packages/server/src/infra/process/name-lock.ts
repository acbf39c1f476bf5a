import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Gives a name back; resolves once another may have it. */
export type ReleaseName = () => Promise<void>

/**
 * Takes a name of this machine for this process alone; undefined where it is taken, here or elsewhere. The lock is an abstract Unix
 * socket: the kernel gives the name to one process and takes it back the moment that process ends, so nothing stale is ever left.
 */
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

// The whole field of the kernel's sockaddr_un, as Node.js 20 fills it in any case: 22 takes the name for as long as it is, and the two would
// not keep each other out.
const addressLength = 108

function addressOf(what: string): string {
  return `\0panel-${createHash('sha256').update(what).digest('hex').slice(0, 32)}`.padEnd(addressLength, '\0')
}
