import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { text } from 'node:stream/consumers'

/** Answers with where this process listens: so the worker sees that its event loop turns, whatever strangers do to the other socket. */
export async function answerAlive(path: string, address: () => AddressInfo): Promise<{ close(): void }> {
  await rm(path, { force: true }) // Of one that was killed.
  const server = createServer((socket) => {
    socket.on('error', () => {}) // Whoever asks has gone.
    socket.end(JSON.stringify(address()))
  })
  await once(server.listen(path), 'listening')
  return { close: () => void server.close() }
}

export async function probeAlive(path: string, timeoutMs: number): Promise<AddressInfo> {
  const socket = createConnection(path)
  const timer = setTimeout(() => socket.destroy(new Error('no answer')), timeoutMs)
  try {
    return JSON.parse(await text(socket)) as AddressInfo
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}
