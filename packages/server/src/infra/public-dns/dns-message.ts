import { createRdataReader, type RdataReader, readName } from '../../record-types/rdata-reader.ts'

export interface DnsQuery {
  id: number
  name: string
  code: number
  recursionDesired: boolean
}

interface DnsRecord {
  name: string
  code: number
  rdata: RdataReader
}

export interface DnsAnswer {
  id: number
  isResponse: boolean
  isTruncated: boolean
  rcode: string
  questions: { name: string; code: number; isInternet: boolean }[]
  answers: DnsRecord[]
  authorities: DnsRecord[]
}

// Avoids fragmentation on all paths (RFC 9715 §3.1); longer responses use TCP.
const udpPayloadBytes = 1232

/** Encodes a query (RFC 1035 §4.1) with an OPT record (RFC 6891 §6.1.2) that announces the maximum response size. */
export function encodeQuery({ id, name, code, recursionDesired }: DnsQuery): Buffer {
  const header = numbers(id, recursionDesired ? 0x0100 : 0, 1, 0, 0, 1)
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')])
  const opt = [Buffer.from([0]), numbers(codes.OPT, udpPayloadBytes, 0, 0, 0)]
  return Buffer.concat([header, ...labels, Buffer.from([0]), numbers(code, classes.IN), ...opt])
}

export function decodeAnswer(message: Buffer): DnsAnswer {
  const [id, flags, questionCount, answerCount, authorityCount] = [0, 2, 4, 6, 8].map((at) => message.readUInt16BE(at))
  let at = 12
  const question = () => {
    const { name, next } = readName(message, at)
    at = next + 4
    return { name, code: message.readUInt16BE(next), isInternet: message.readUInt16BE(next + 2) === classes.IN }
  }
  const record = (): DnsRecord => {
    const { name, next } = readName(message, at)
    const start = next + 10
    at = start + message.readUInt16BE(next + 8)
    return { name, code: message.readUInt16BE(next), rdata: createRdataReader(message, start, at) }
  }
  const times = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read)
  return {
    id: id!,
    isResponse: (flags! & 0x8000) !== 0,
    isTruncated: (flags! & 0x0200) !== 0,
    rcode: rcodes[flags! & 15] ?? `RCODE${flags! & 15}`,
    questions: times(questionCount!, question),
    answers: times(answerCount!, record),
    authorities: times(authorityCount!, record)
  }
}

const classes = { IN: 1 }
const codes = { OPT: 41 }

/** Indexed by number (RFC 6895 §2.3). */
const rcodes = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE'
]

const numbers = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))
