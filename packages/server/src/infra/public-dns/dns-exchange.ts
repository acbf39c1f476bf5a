import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import * as dnsPacket from 'dns-packet'
import { DnsFailure } from './dns-failure.ts'

export interface ServerAddress {
  address: string
  port: number
}

export interface DnsQuestion {
  /** As `queryName` gives it. */
  name: string
  type: dnsPacket.RecordType
  /** Whether the server shall look the answer up elsewhere: yes for a resolver, no for a zone's own server. */
  recursionDesired: boolean
}

/** The types lack the response code. */
export type DnsAnswer = dnsPacket.DecodedPacket & { rcode: string }

// What passes every path unfragmented (RFC 9715 §3.1); longer answers come by TCP.
const udpPayloadBytes = 1232

/** Asks one server, over UDP and, where the answer does not fit, over TCP. Rejects with a DnsFailure or a socket's error. */
export async function exchange(server: ServerAddress, question: DnsQuestion, timeoutMs: number): Promise<DnsAnswer> {
  const deadline = performance.now() + timeoutMs
  const query: dnsPacket.Packet = {
    type: 'query',
    id: randomInt(65_536),
    flags: question.recursionDesired ? dnsPacket.RECURSION_DESIRED : 0,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    additionals: [edns]
  }
  const answer = await overUdp(server, query, timeoutMs)
  return answer.flag_tc ? overTcp(server, query, deadline - performance.now()) : answer
}

const edns: dnsPacket.OptAnswer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: udpPayloadBytes,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: []
}

/** On a socket of its own, so that the port is a random one; connected, so that the kernel drops what comes from elsewhere. */
function overUdp(server: ServerAddress, query: dnsPacket.Packet, timeoutMs: number): Promise<DnsAnswer> {
  const message = dnsPacket.encode(query)
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4')
  return new Promise<DnsAnswer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new DnsFailure('TIMEOUT')), timeoutMs)
    socket.on('close', () => clearTimeout(timer))
    socket.on('error', reject)
    socket.on('message', (received) => {
      // Anything else may be forged: the true answer may still come.
      const answer = answerTo(query, received)
      if (answer) resolve(answer)
    })
    socket.once('connect', () => socket.send(message))
    socket.connect(server.port, server.address)
  }).finally(() => socket.close())
}

function overTcp(server: ServerAddress, query: dnsPacket.Packet, timeoutMs: number): Promise<DnsAnswer> {
  const socket = connect({ host: server.address, port: server.port })
  return new Promise<DnsAnswer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new DnsFailure('TIMEOUT')), Math.max(0, timeoutMs))
    let bytes = Buffer.alloc(0)
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new DnsFailure('BAD_RESPONSE'))
    })
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE(0)) return
      const answer = answerTo(query, bytes.subarray(2, 2 + bytes.readUInt16BE(0)))
      if (answer && !answer.flag_tc) resolve(answer)
      else reject(new DnsFailure('BAD_RESPONSE'))
    })
    socket.write(dnsPacket.streamEncode(query))
  }).finally(() => socket.destroy())
}

/** The message, if it is one and answers this query (RFC 5452 §9.1). */
function answerTo(query: dnsPacket.Packet, message: Buffer): DnsAnswer | undefined {
  let answer: DnsAnswer
  try {
    answer = dnsPacket.decode(message) as DnsAnswer
  } catch {
    return undefined // The decoder throws at what is no message.
  }
  const asked = query.questions![0]!
  const [given, ...more] = answer.questions ?? []
  const isOurs =
    answer.type === 'response' &&
    answer.id === query.id &&
    given !== undefined &&
    more.length === 0 &&
    given.name.toLowerCase() === asked.name &&
    given.type === asked.type &&
    given.class === asked.class
  return isOurs ? answer : undefined
}
