import { connect } from 'node:net'
import { AdapterError } from '../adapter-error.ts'

interface CommandOptions {
  timeoutMs?: number
  /** Default 64 MiB: a map of about 500,000 routes. */
  maxOutputBytes?: number
}

/**
 * Every response has at least a line feed, so an empty one means that the proxy died. `command` must consist of
 * strictly validated parts: `;` or a blank line would start another command.
 */
export function sendCommand(socketPath: string, command: string, options: CommandOptions = {}): Promise<string> {
  const { timeoutMs = 5_000, maxOutputBytes = 64 * 1024 * 1024 } = options
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const socket = connect({ path: socketPath, allowHalfOpen: true })
    const fail = (cause: unknown) => {
      clearTimeout(timer)
      socket.destroy()
      reject(new AdapterError('reverse-proxy-unavailable', 'HAProxy is not responding', { cause }))
    }
    const timer = setTimeout(() => fail(new Error(`No response within ${timeoutMs} ms`)), timeoutMs)
    socket.on('error', fail)
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes > maxOutputBytes) return fail(new Error(`The response is longer than ${maxOutputBytes} bytes`))
      chunks.push(chunk)
    })
    socket.on('end', () => {
      if (bytes === 0) return fail(new Error('The connection was closed without a response'))
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('utf8').trim())
    })
    socket.end(`${command}\n`)
  })
}

interface HaproxyInfo {
  version: string
  pid: number
  /** haproxyFingerprint() of its configuration. */
  description: string
}

export async function readInfo(socketPath: string, options?: CommandOptions): Promise<HaproxyInfo> {
  const answer = await sendCommand(socketPath, 'show info', options)
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(answer)?.[1] ?? ''
  return { version: field('Version'), pid: Number(field('Pid')), description: field('description') }
}
