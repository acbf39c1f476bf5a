import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from './ports.ts'

/** Replaces the proxy: one server that responds for every name. */
export interface TestFrontDoor {
  port: number
  requested: string[]
  /** Unknown names are always 404, as from the proxy. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Stops listening; `open` reuses the port. */
  close(): Promise<void>
  open(): Promise<void>
}

export async function startFrontDoor(): Promise<TestFrontDoor> {
  const server = createServer((request, response) => {
    if (request.headers.host?.endsWith('.invalid')) return response.writeHead(404).end()
    door.requested.push(`${request.method} ${request.headers.host}${request.url}`)
    door.answer(request, response)
  })
  const door: TestFrontDoor = {
    port: await freePort(),
    requested: [],
    answer: (_request, response) => void response.end('welcome'),
    async open() {
      server.listen(door.port, '127.0.0.1')
      await once(server, 'listening')
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
  await door.open()
  return door
}
