import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { text } from 'node:stream/consumers'

/** Health socket: proves that the event loop runs even under load on the public socket. */
export async function answerAlive(path: string, address: () => AddressInfo): Promise<{ close(): void }> {
  await rm(path, { force: true }) // Left by a killed process.
  const server = createServer((socket) => {
    socket.on('error', () => {}) // The client is gone.
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
