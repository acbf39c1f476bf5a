import { hostOwnerProblem } from './domain-name.ts'
import { firstText, type RecordType, ValueProblem } from './record-type.ts'

/** RFC 1035 §3.4.1. */
export const a: RecordType = {
  code: 1,
  members: [],
  normalize: ipv4,
  ownerProblem: hostOwnerProblem('A'),
  isCaseSensitive: false,
  wireBytes: () => 4,
  file: { fields: 1, names: [], read: firstText, write: (value) => value },
  fromWire: (rdata) => ipv4Text(rdata.bytes(4))
}

/** RFC 3596 §2.2. */
export const aaaa: RecordType = {
  code: 28,
  members: [],
  normalize: ipv6,
  ownerProblem: hostOwnerProblem('AAAA'),
  isCaseSensitive: false,
  wireBytes: () => 16,
  file: { fields: 1, names: [], read: firstText, write: (value) => value },
  fromWire: (rdata) => ipv6Text(rdata.bytes(16))
}

function ipv4(value: string): string {
  const isAddress = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(value)
  if (!isAddress || value.split('.').some((byte) => Number(byte) > 255)) throw new ValueProblem('A_VALUE')
  return value
}

function ipv6(value: string): string {
  const url = /^[0-9a-fA-F:.]{2,45}$/.test(value) && URL.canParse(`http://[${value}]`) && new URL(`http://[${value}]`)
  if (!url) throw new ValueProblem('AAAA_VALUE')
  const address = url.hostname.slice(1, -1)
  const embedded = /^(::(?:ffff:)?)([0-9a-f]+):([0-9a-f]+)$/.exec(address)
  if (!embedded) return address
  // RFC 5952 §5: embedded IPv4 stays dotted; the URL standard writes hex.
  const bytes = embedded.slice(2).flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
  return `${embedded[1]}${bytes.join('.')}`
}

export const ipv4Text = (bytes: Buffer): string => bytes.join('.')

export const ipv6Text = (bytes: Buffer): string => ipv6(bytes.toString('hex').match(/.{4}/g)!.join(':'))

export const ipv4Bytes = (address: string): Buffer => Buffer.from(ipv4(address).split('.').map(Number))

export function ipv6Bytes(address: string): Buffer {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(ipv6(address))
  const tail = dotted ? ipv4Bytes(dotted[2]!) : Buffer.alloc(0)
  const [head = '', rest = ''] = (dotted ? dotted[1]!.replace(/([^:]):$/, '$1') : ipv6(address)).split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const missing = 8 - tail.length / 2 - groups(head).length - groups(rest).length
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(rest)]
  return Buffer.concat([Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex'), tail])
}
