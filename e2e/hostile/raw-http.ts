import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface RawOptions {
  port: number
  host?: string
  /** Source address; each address in 127.0.0.0/8 counts as a different client. */
  from?: string
}

/** Sends exactly these bytes; resolves with everything received until the connection goes silent or closes. */
export async function sendRaw(text: string | Buffer, { port, host = '127.0.0.1', from }: RawOptions): Promise<string> {
  const socket = connect({ host, port, ...(from === undefined ? {} : { localAddress: from }) })
  let answer = ''
  let silentSince = Date.now()
  let isClosed = false
  socket.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece
    silentSince = Date.now()
  })
  socket.on('error', () => {})
  socket.once('close', () => (isClosed = true))
  await once(socket, 'connect')
  socket.write(text)
  while (!isClosed && Date.now() - silentSince < (answer === '' ? 20_000 : 700)) await sleep(20)
  socket.destroy()
  return answer
}

/** An HTTP/1.1 request with a JSON body; `headers` are sent as given and replace the default ones. */
export function requestText(method: string, path: string, headers: readonly string[], body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const given = headers.map((line) => line.split(':')[0]!.toLowerCase())
  const usual = ['Host: localhost', 'Connection: close', ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`])] // oxfmt-ignore
  const lines = [...usual.filter((line) => !given.includes(line.split(':')[0]!.toLowerCase())), ...headers]
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`
}

export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
