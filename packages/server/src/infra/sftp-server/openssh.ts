import { createHash } from 'node:crypto'
import { AdapterError } from '../adapter-error.ts'
import { type Run } from '../process/process.ts'
import { readGreeting } from './banner.ts'
import type { SftpServer } from './sftp-server.ts'

const timeoutMs = 5_000

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
      if (fingerprints.length === 0) throw unavailable(address, { reason: 'the server presented no host keys' })
      return fingerprints
    }
  }
}

/** Converts `ssh-keyscan` output ("host type base64") to sorted fingerprints as printed by `ssh-keygen -l`. */
function fingerprintsOf(scan: string): string[] {
  const keys = scan.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const fingerprints = keys.map((line) => {
    const blob = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
  })
  return fingerprints.toSorted()
}

const greetings = {
  other: 'the service on this port is not an SSH server',
  refused: 'the connection was refused',
  silent: 'connection timed out'
} as const

const unavailable = ({ port }: { port: number }, why: { cause: unknown } | { reason: string }) =>
  new AdapterError('sftp-unavailable', `No SSH server is responding on port ${port}. Try again later.`, why)
