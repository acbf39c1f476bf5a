import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rdataOf } from '../../packages/server/src/record-types/record-types.ts'
import type { ZoneRecord } from '../../packages/server/src/features/dns-zones/zone-record.types.ts'

interface Verdict {
  isAccepted: boolean
  output: string
}

/** BIND and Knot as reference readers of zone files, in their own directory. */
export async function createZoneOracles() {
  const directory = await mkdtemp(join(tmpdir(), 'zones-'))
  const file = join(directory, 'zone')
  const readWith = async (text: string | Buffer, command: string, args: readonly string[]) => {
    await writeFile(file, text)
    return execute(command, args)
  }
  // Checks the zone only, without lookups of other names.
  const local = ['-i', 'local']
  return {
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
    /** Records as BIND reads them, in our canonical form. */
    async readByNamed(name: string, text: string | Buffer): Promise<string[]> {
      const args = ['-q', '-f', 'text', '-F', 'text', '-s', 'full', '-k', 'ignore', '-i', 'none', '-o', '-', name, file]
      const { isAccepted, output } = await readWith(text, 'named-compilezone', args)
      if (!isAccepted) throw new Error(`named-compilezone: ${output}`)
      return output.trimEnd().split('\n').map(canonicalLine).sort()
    },
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

/** Canonical form of one of our records: owner, TTL, type and data, with text as bytes. */
export function canonicalRecord({ owner, ttl, type, ...content }: ZoneRecord): string {
  const data = type === 'TXT' ? Buffer.from(content.value).toString('hex') : rdataOf(type, content)
  return `${owner}. ${ttl} ${type} ${data}`.trimEnd()
}

function canonicalLine(line: string): string {
  const [, owner = '', ttl, type = '', data = ''] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? []
  const dataOf = Object.hasOwn(canonicalData, type) ? canonicalData[type]! : (data: string) => data.toLowerCase()
  return `${owner.toLowerCase()} ${ttl} ${type} ${dataOf(data)}`.trimEnd()
}

/** Converts BIND's data notation to ours where lowercasing is not enough. */
const canonicalData: Readonly<Record<string, (data: string) => string>> = {
  TXT: (data) =>
    Buffer.concat([...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, string = '']) => bytesOf(string))).toString('hex'),
  // The tag is case-insensitive (RFC 8659 §4.1), the value is not.
  CAA: (data) => data.replace(/ [^ ]+ /, (tag) => tag.toLowerCase()),
  NAPTR: (data) => data.replace(/[^ ]+$/, (name) => name.toLowerCase()),
  // BIND splits long digests into groups.
  SSHFP: (data) =>
    data.replace(/^(\d+ \d+) (.*)$/, (_, numbers, digits: string) => `${numbers} ${digits.replaceAll(' ', '')}`),
  TLSA: (data) =>
    data.replace(/^(\d+ \d+ \d+) (.*)$/, (_, numbers, digits: string) => `${numbers} ${digits.replaceAll(' ', '')}`),
  SVCB: serviceData,
  HTTPS: serviceData
}

/** BIND and Knot quote text; some characters need no escape inside quotes. */
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
