import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rdataOf } from '../../packages/server/src/record-types/record-types.ts'
import type { ZoneRecord } from '../../packages/server/src/features/dns-zones/zone-record.types.ts'

/** What a checker of zones says. */
interface Verdict {
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
export function canonicalRecord({ owner, ttl, type, ...content }: ZoneRecord): string {
  const data = type === 'TXT' ? Buffer.from(content.value).toString('hex') : rdataOf(type, content)
  return `${owner}. ${ttl} ${type} ${data}`.trimEnd()
}

/** A line of BIND's `full` style. */
function canonicalLine(line: string): string {
  const [, owner = '', ttl, type = '', data = ''] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? []
  const dataOf = Object.hasOwn(canonicalData, type) ? canonicalData[type]! : (data: string) => data.toLowerCase()
  return `${owner.toLowerCase()} ${ttl} ${type} ${dataOf(data)}`.trimEnd()
}

/** BIND's notation of data in ours, where that is not its own in lower case. */
const canonicalData: Readonly<Record<string, (data: string) => string>> = {
  TXT: (data) =>
    Buffer.concat([...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, string = '']) => bytesOf(string))).toString('hex'),
  // The tag counts in any case (RFC 8659 §4.1), the value does not.
  CAA: (data) => data.replace(/ [^ ]+ /, (tag) => tag.toLowerCase()),
  NAPTR: (data) => data.replace(/[^ ]+$/, (name) => name.toLowerCase()),
  // Long digests stand in groups.
  SSHFP: (data) =>
    data.replace(/^(\d+ \d+) (.*)$/, (_, numbers, digits: string) => `${numbers} ${digits.replaceAll(' ', '')}`),
  TLSA: (data) =>
    data.replace(/^(\d+ \d+ \d+) (.*)$/, (_, numbers, digits: string) => `${numbers} ${digits.replaceAll(' ', '')}`),
  SVCB: serviceData,
  HTTPS: serviceData
}

/** BIND and Knot have quotes around text, in which some characters need no escape. */
export function serviceData(data: string): string {
  return data
    .replace(/^(\d+) ([^ ]+)/, (_, priority, target: string) => `${priority} ${target.toLowerCase()}`)
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) =>
      text.replaceAll(/[ ;()]/g, (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`)
    )
}

function bytesOf(escaped: string): Buffer {
  const text = escaped.replace(/\\(\d{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number(code)) : code
  )
  return Buffer.from(text, 'latin1')
}
