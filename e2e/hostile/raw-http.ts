import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface RawOptions {
  port: number
  host?: string
  /** The client's own address: every address of 127.0.0.0/8 is a stranger of its own. */
  from?: string
}

/** Sends exactly these bytes, as no client library would, and returns all that comes back until the other end is silent or closes. */
export async function sendRaw(text: string | Buffer, { port, host = '127.0.0.1', from }: RawOptions): Promise<string> {
  const socket = connect({ host, port, ...(from === undefined ? {} : { localAddress: from }) })
  let answer = ''
  let silentSince = Date.now()
  let isClosed = false
  socket.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece
    silentSince = Date.now()
  })
  socket.on('error', () => {}) // A reset is an answer too.
  socket.once('close', () => (isClosed = true))
  await once(socket, 'connect')
  socket.write(text)
  while (!isClosed && Date.now() - silentSince < (answer === '' ? 20_000 : 700)) await sleep(20)
  socket.destroy()
  return answer
}

/** A request of HTTP/1.1 with a JSON body; `headers` go out as they are, and in the place of those that a client would send. */
export function requestText(method: string, path: string, headers: readonly string[], body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const given = headers.map((line) => line.split(':')[0]!.toLowerCase())
  const usual = ['Host: localhost', 'Connection: close', ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`])] // prettier-ignore
  const lines = [...usual.filter((line) => !given.includes(line.split(':')[0]!.toLowerCase())), ...headers]
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`
}

/** Statuses of all answers in it, in their order. */
export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
