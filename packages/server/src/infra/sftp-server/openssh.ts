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
      throw unavailable(address.port)
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
        throw unavailable(address.port, cause)
      })
      const fingerprints = fingerprintsOf(stdout)
      if (fingerprints.length === 0) throw unavailable(address.port)
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

const unavailable = (port: number, cause?: unknown) =>
  new AdapterError('sftp-unavailable', `No SSH server answers on port ${port}; try again later`, { cause })
