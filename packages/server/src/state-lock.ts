import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

interface StateLock {
  release(): Promise<void>
}

/**
 * Takes a directory of state for this process alone. The lock is an abstract Unix socket: the kernel gives the name to one process
 * and takes it back the moment that process ends, so nothing stale is ever left. No lock of the store, which may lie in that directory
 * and is not started yet.
 */
export async function lockState(directory: string): Promise<StateLock> {
  const name = `\0panel-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`
  const server = createServer((socket) => socket.destroy())
  server.unref()
  try {
    await once(server.listen(name), 'listening')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error
    const message = `Another panel runs on ${directory}. Stop it first, or give this one a DATA_DIR of its own.`
    throw new Error(message, { cause: error })
  }
  return { release: async () => void server.close() }
}
