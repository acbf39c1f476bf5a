import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'

/** What Node's parser refuses before there is a request, by its code. */
const refusals: Readonly<Record<string, [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request took too long to arrive. Send it again.'],
  HPE_HEADER_OVERFLOW: [
    'HEADERS_TOO_LARGE',
    'The URL and headers together must not exceed 16 KiB. Send long values in the body.'
  ]
}

/** As Node's own handler looks for it: the answer that the connection is at. */
const hasAnswerStarted = (socket: Socket & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true

// Who closes a connection while the client still sends has the client's machine throw away the answer: it is read on for so long.
const lingerMs = 1_000

/** Answers in the one form of an error where the parser has given up on a connection, and ends it. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  // Behind a part of an answer it would be taken for the rest of it.
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
