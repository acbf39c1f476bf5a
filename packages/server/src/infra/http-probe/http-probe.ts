import { signalWithin } from '../../concurrency/time-limit.ts'
import { request } from 'node:http'

interface HttpProbe {
  address: string
  port: number
  path: string
  hostname: string
  userAgent: string
  maxBytes: number
  timeoutMs: number
  signal: AbortSignal
}

/** `no-way`: this machine has no route to the address. `silent`: no HTTP response within the time limit. */
type HttpAnswer = { status: number; body: string; isWhole: boolean } | 'no-way' | 'silent'

export async function probeHttp(probe: HttpProbe): Promise<HttpAnswer> {
  const { address, port, path, hostname, userAgent, maxBytes, timeoutMs, signal } = probe
  const answer = await new Promise<HttpAnswer>((resolve) => {
    const question = request(
      {
        host: address,
        port,
        path,
        agent: false,
        signal: signalWithin(timeoutMs, signal),
        headers: { Host: hostname, 'User-Agent': userAgent, Connection: 'close' }
      },
      (response) => {
        const status = response.statusCode ?? 0
        let body = ''
        const end = (isWhole: boolean) => finish({ status, body: body.slice(0, maxBytes), isWhole })
        if (status >= 300 && status < 400) return end(false)
        response.setEncoding('latin1')
        response.on('data', (chunk: string) => {
          body += chunk
          if (body.length > maxBytes) end(false)
        })
        response.on('end', () => end(true))
        response.on('error', () => finish('silent'))
      }
    )
    question.on('error', ({ code }: NodeJS.ErrnoException) => finish(noWay.includes(code ?? '') ? 'no-way' : 'silent'))
    // On a protocol switch there is no response and no error event.
    question.on('close', () => finish('silent'))
    question.end()
    function finish(found: HttpAnswer) {
      resolve(found)
      question.destroy()
    }
  })
  signal.throwIfAborted()
  return answer
}

const noWay = ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']
