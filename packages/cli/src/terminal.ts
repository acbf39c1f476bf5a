import { startTerminal, type TerminalEnded } from '@panel/client'
import { WebSocket } from 'ws'
import { CommandError, exitCodes, type SignedInCall } from './context.ts'

/** The panel pings every 30 seconds. */
const silenceMs = 75_000
const endOfInput = Uint8Array.of(4)

const ends: Readonly<Record<Exclude<TerminalEnded['reason'], 'EXITED' | 'FAILED'>, string>> = {
  CLOSED: 'The terminal is closed',
  IDLE: 'The terminal was closed because it was not used',
  TOO_LONG: 'The terminal was closed because it was open for the longest allowed time',
  ACCESS_ENDED: 'The terminal was closed because the token was revoked or has expired',
  CONTAINER_STOPPED: 'The container was stopped or replaced by a new release',
  PANEL_STOPPED: 'The panel was restarted',
  PROTOCOL: 'The terminal was closed because of an invalid message',
  DISCONNECTED: 'The connection was lost. Everything that ran in the terminal has ended'
}

/** Connects this terminal to a program in the project's running container, and exits with its status. */
export async function attachTerminal(
  { url, token, stdin, stdout, signal }: SignedInCall,
  projectId: string,
  command: readonly string[]
): Promise<void> {
  const address = new URL(`/api/projects/${encodeURIComponent(projectId)}/terminal`, url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(address, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: 30_000,
    perMessageDeflate: false
  })
  const refusal = refusalOf(socket)
  const silence = setTimeout(() => socket.terminate(), silenceMs)
  socket.on('ping', () => silence.refresh())
  const size = () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 })
  let detach = () => {}
  try {
    const ended = await new Promise<TerminalEnded>((resolve) => {
      const session = startTerminal(socket as Parameters<typeof startTerminal>[0], {
        ...size(),
        command: command.length === 0 ? undefined : command,
        onReady() {
          const resize = () => session.resize(size().columns, size().rows)
          // At the pace of the program: a paste waits here and not in memory.
          const read = (chunk: Buffer<ArrayBuffer>) => {
            stdin.pause()
            void session.write(chunk).then(() => stdin.resume())
          }
          const close = () => void session.write(endOfInput)
          detach = () => {
            stdin.off('data', read).off('end', close).pause()
            stdout.off?.('resize', resize)
            if (stdin.isTTY) stdin.setRawMode(false)
          }
          if (stdin.isTTY) stdin.setRawMode(true)
          stdin.on('data', read).on('end', close).resume()
          stdout.on?.('resize', resize)
        },
        onOutput: (bytes, done) => stdout.write(bytes, done),
        onEnd: resolve
      })
      signal.addEventListener('abort', () => session.close(), { once: true })
    })
    throwUnlessDone(ended, await refusal)
  } finally {
    clearTimeout(silence)
    detach()
    socket.terminate()
  }
}

function throwUnlessDone({ reason, exitCode, message }: TerminalEnded, refusal: string | undefined): void {
  if (reason === 'EXITED') {
    if (exitCode) throw new CommandError(`The command has ended with exit status ${exitCode}`, exitCode)
    return
  }
  if (reason === 'FAILED') throw new CommandError(message ?? 'The terminal could not be opened')
  if (reason === 'DISCONNECTED' && refusal !== undefined) throw new CommandError(refusal)
  throw new CommandError(ends[reason], reason === 'DISCONNECTED' ? exitCodes.unreachable : exitCodes.failed)
}

/** The panel's message if it refused the connection; resolves when the connection has ended. */
function refusalOf(socket: WebSocket): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_request, answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => (body = `${body}${text}`.slice(0, 64 * 1024)))
      answer.on('close', () => {
        resolve(messageIn(body) ?? `The panel answered ${answer.statusCode}`)
        socket.terminate()
      })
    })
    socket.on('error', (error) => resolve(`Could not reach the panel: ${error.message}`))
    socket.once('close', () => resolve(undefined))
  })
}

function messageIn(body: string): string | undefined {
  try {
    const found: unknown = JSON.parse(body)
    return typeof found === 'object' && found !== null && 'error' in found ? String(found.error) : undefined
  } catch {
    return undefined // Not from the panel.
  }
}
