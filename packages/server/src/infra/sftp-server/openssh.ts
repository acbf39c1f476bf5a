import { createHash } from 'node:crypto'
import { AdapterError } from '../adapter-error.ts'
import { type Run } from '../process/process.ts'
import { readGreeting } from './banner.ts'
import type { SftpServer } from './sftp-server.ts'

const timeoutMs = 5_000

/** OpenSSH at this address, whoever has started it. */
export function createOpenSsh({ run, ...address }: { run: Run; host: string; port: number }): SftpServer {
  return {
    async ping() {
      const greeting = await readGreeting(address, timeoutMs)
      if (greeting.kind === 'ssh') return greeting.banner
      throw unavailable(address, { reason: `${address.host}:${address.port}: ${greetings[greeting.kind]}` })
    },
    async hostKeys() {
      const argv = [
        'ssh-keyscan',
        '-T',
        String(timeoutMs / 1000),
        '-p',
        String(address.port),
        '--',
        address.host
      ] as const
      const { stdout } = await run(argv, { timeoutMs: 3 * timeoutMs }).catch((cause: unknown) => {
        throw unavailable(address, { cause })
      })
      const fingerprints = fingerprintsOf(stdout)
      if (fingerprints.length === 0) throw unavailable(address, { reason: 'it shows no host keys' })
      return fingerprints
    }
  }
}

/** Of the lines "host type base64" that ssh-keyscan prints: as `ssh-keygen -l` shows them, in order. */
function fingerprintsOf(scan: string): string[] {
  const keys = scan.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const fingerprints = keys.map((line) => {
    const blob = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
  })
  return fingerprints.toSorted()
}

const greetings = {
  other: 'what answers there is not an SSH server',
  refused: 'the connection was refused',
  silent: 'nothing answered in time'
} as const

const unavailable = ({ port }: { port: number }, why: { cause: unknown } | { reason: string }) =>
  new AdapterError('sftp-unavailable', `No SSH server answers on port ${port}; try again later`, why)
