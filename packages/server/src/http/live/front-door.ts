import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@panel/contract/errors'
import { AppError } from '../../errors.ts'
import { isLivePath } from './live-request.ts'

interface FrontDoor {
  onRequest(request: IncomingMessage, response: ServerResponse): void
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

const upgrades = new WeakMap<IncomingMessage, { socket: Duplex; head: Buffer }>()

/** The connection of a request that asks for another protocol; a route may take it over. */
export const upgradeOf = (request: IncomingMessage) => upgrades.get(request)

/** Routes requests of the live channel to `door`, and all others to the existing listeners. */
export function openFrontDoor(server: Server, door: FrontDoor): void {
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  const tellOthers: (typeof others)[number] = (request, response) => {
    for (const listener of others) listener.call(server, request, response)
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) =>
    isLivePath(request) ? door.onRequest(request, response) : tellOthers(request, response)
  )
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (isLivePath(request)) return door.onUpgrade(request, socket, head)
    // Ignore other protocols, such as h2c from curl (RFC 9110 §7.8). The parser has released the body, so only GET and HEAD work.
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuseUpgrade(socket, new AppError('MALFORMED_REQUEST', 'Send this request without the header Upgrade'))
    upgrades.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0])
    response.once('finish', () => socket.end())
    tellOthers(request, response)
  })
}

const bodyOf = (error: AppError) => JSON.stringify({ error: error.message, code: error.code } satisfies ErrorBody)

export function refuseRequest(response: ServerResponse, error: AppError): void {
  response
    .writeHead(error.status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': error.retryAfterSeconds })
    })
    .end(bodyOf(error))
}

export function refuseUpgrade(socket: Duplex, error: AppError): void {
  const body = bodyOf(error)
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body
    ].join('\r\n')
  )
}
