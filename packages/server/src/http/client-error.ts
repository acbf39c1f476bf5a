import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'

/** Errors of Node's HTTP parser by code. */
const refusals: Readonly<Record<string, [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request took too long to arrive. Send it again.'],
  HPE_HEADER_OVERFLOW: [
    'HEADERS_TOO_LARGE',
    'The URL and headers together must not exceed 16 KiB. Send long values in the body.'
  ]
}

/** Reads the current response like Node's default handler. */
const hasAnswerStarted = (socket: Socket & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true

// Closing while the client still sends would reset the connection and lose the response, so read on for this long.
const lingerMs = 1_000

/** Sends the common error format after a parser error, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  // After a partial response the client would take the error for the rest of it.
  if (!socket.writable || hasAnswerStarted(socket)) return void socket.destroy(error)
  const [code, sentence] = refusals[error.code ?? ''] ?? ['MALFORMED_REQUEST', 'This is not a valid HTTP request']
  const status = errorStatus[code]
  const body = JSON.stringify({ error: sentence, code } satisfies ErrorBody)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body
    ].join('\r\n')
  )
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}
