import { connect } from 'node:net'
import { AdapterError } from '../adapter-error.ts'

interface CommandOptions {
  /** Until the whole answer is there. Default 5 s. */
  timeoutMs?: number
  /** Default 64 MiB: a map of some 500,000 routes. */
  maxOutputBytes?: number
}

/**
 * Sends one command to HAProxy's admin socket over a connection of its own and resolves with the answer, without blank space around it.
 * Every answer has at least a line feed: a connection that ends without one means that the proxy died, not that all went well.
 * `command` must come from strict patterns: `;` or a blank line in it would begin another command.
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
      reject(new AdapterError('reverse-proxy-unavailable', 'The reverse proxy does not answer', { cause }))
    }
    const timer = setTimeout(() => fail(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs)
    socket.on('error', fail)
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes > maxOutputBytes) return fail(new Error(`The answer is longer than ${maxOutputBytes} bytes`))
      chunks.push(chunk)
    })
    socket.on('end', () => {
      if (bytes === 0) return fail(new Error('The connection ended without an answer'))
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('utf8').trim())
    })
    socket.end(`${command}\n`)
  })
}

interface HaproxyInfo {
  version: string
  /** The worker's. */
  pid: number
  /** haproxyFingerprint() of what it runs. */
  description: string
}

/** What the running proxy says about itself. */
export async function readInfo(socketPath: string, options?: CommandOptions): Promise<HaproxyInfo> {
  const answer = await sendCommand(socketPath, 'show info', options)
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(answer)?.[1] ?? ''
  return { version: field('Version'), pid: Number(field('Pid')), description: field('description') }
}
