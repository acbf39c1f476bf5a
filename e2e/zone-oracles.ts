import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ZoneRecord } from '../packages/server/src/features/dns-zones/zone-record.ts'

/** What a checker of zones says. */
export interface Verdict {
  isAccepted: boolean
  output: string
}

/** The programs of two other authors that read zone files, on a directory of their own. */
export async function createZoneOracles() {
  const directory = await mkdtemp(join(tmpdir(), 'zones-'))
  const file = join(directory, 'zone')
  const readWith = async (text: string | Buffer, command: string, args: readonly string[]) => {
    await writeFile(file, text)
    return execute(command, args)
  }
  // Only what is in the zone: nobody here can be asked about other names.
  const local = ['-i', 'local']
  return {
    /** BIND, at its strictest. */
    named: (name: string, text: string | Buffer): Promise<Verdict> =>
      readWith(text, 'named-checkzone', [
        '-k',
        'fail',
        '-n',
        'fail',
        '-r',
        'fail',
        '-M',
        'ignore',
        ...local,
        name,
        file
      ]),
    knot: (name: string, text: string | Buffer): Promise<Verdict> => readWith(text, 'kzonecheck', ['-o', name, file]),
    /** The records as BIND reads them, in our canonical form. */
    async readByNamed(name: string, text: string | Buffer): Promise<string[]> {
      const args = ['-q', '-f', 'text', '-F', 'text', '-s', 'full', '-k', 'ignore', '-i', 'none', '-o', '-', name, file]
      const { isAccepted, output } = await readWith(text, 'named-compilezone', args)
      if (!isAccepted) throw new Error(`named-compilezone: ${output}`)
      return output.trimEnd().split('\n').map(canonicalLine).sort()
    },
    /** Signed by BIND's tools, with keys made for it. */
    async sign(name: string, text: string): Promise<string> {
      await execute('dnssec-keygen', ['-K', directory, '-a', 'ECDSAP256SHA256', '-f', 'KSK', name])
      await execute('dnssec-keygen', ['-K', directory, '-a', 'ECDSAP256SHA256', name])
      const { isAccepted, output } = await readWith(text, 'dnssec-signzone', [
        '-S',
        '-K',
        directory,
        '-d',
        directory,
        '-o',
        name,
        file
      ])
      if (!isAccepted) throw new Error(`dnssec-signzone: ${output}`)
      return readFile(`${file}.signed`, 'utf8')
    },
    close: () => rm(directory, { recursive: true })
  }
}

function execute(command: string, args: readonly string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    execFile(command, args, { encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ isAccepted: !error, output: stdout + stderr })
    )
  })
}

/** A record of ours: owner, TTL, type and data, text as the bytes it stands for. */
export function canonicalRecord({ owner, ttl, type, value, priority, weight, port }: ZoneRecord): string {
  const numbers = [priority, weight, port].filter((number) => number !== null)
  const isName = ['CNAME', 'MX', 'NS', 'SRV'].includes(type)
  const data = type === 'TXT' ? Buffer.from(value).toString('hex') : isName ? `${value}.`.replace(/^\.+$/, '.') : value
  return [`${owner}.`, ttl, type, ...numbers, data].join(' ').trimEnd()
}

/** A line of BIND's `full` style. */
function canonicalLine(line: string): string {
  const [, owner = '', ttl, type = '', data = ''] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? []
  const start = `${owner.toLowerCase()} ${ttl} ${type}`
  if (type === 'TXT') {
    const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, string = '']) => bytesOf(string))
    return `${start} ${Buffer.concat(strings).toString('hex')}`.trimEnd()
  }
  // The tag of a CAA counts in any case (RFC 8659 §4.1), its value does not.
  if (type === 'CAA') return `${start} ${data.replace(/ [^ ]+ /, (tag) => tag.toLowerCase())}`
  return `${start} ${data.toLowerCase()}`
}

function bytesOf(escaped: string): Buffer {
  const text = escaped.replace(/\\(\d{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number(code)) : code
  )
  return Buffer.from(text, 'latin1')
}
