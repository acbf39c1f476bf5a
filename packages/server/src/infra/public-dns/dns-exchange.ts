import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import { DnsFailure } from './dns-failure.ts'
import { decodeAnswer, type DnsAnswer, type DnsQuery, encodeQuery } from './dns-message.ts'

export interface ServerAddress {
  address: string
  port: number
}

export async function exchange(
  server: ServerAddress,
  question: Omit<DnsQuery, 'id'>,
  timeoutMs: number
): Promise<DnsAnswer> {
  const deadline = performance.now() + timeoutMs
  const query = { id: randomInt(65_536), ...question }
  const answer = await overUdp(server, query, timeoutMs)
  return answer.isTruncated ? overTcp(server, query, deadline - performance.now()) : answer
}

/** A new socket gives a random source port; connect() makes the kernel drop packets from other addresses. */
function overUdp(server: ServerAddress, query: DnsQuery, timeoutMs: number): Promise<DnsAnswer> {
  const message = encodeQuery(query)
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4')
  return new Promise<DnsAnswer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new DnsFailure('TIMEOUT')), timeoutMs)
    socket.on('close', () => clearTimeout(timer))
    socket.on('error', reject)
    socket.on('message', (received) => {
      // Other packets may be spoofed; keep waiting for the real response.
      const answer = answerTo(query, received)
      if (answer) resolve(answer)
    })
    socket.once('connect', () => socket.send(message))
    socket.connect(server.port, server.address)
  }).finally(() => socket.close())
}

function overTcp(server: ServerAddress, query: DnsQuery, timeoutMs: number): Promise<DnsAnswer> {
  const message = encodeQuery(query)
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
      if (answer && !answer.isTruncated) resolve(answer)
      else reject(new DnsFailure('BAD_RESPONSE'))
    })
    socket.write(Buffer.concat([lengthOf(message), message]))
  }).finally(() => socket.destroy())
}

/** RFC 1035 §4.2.2. */
const lengthOf = (message: Buffer): Buffer => Buffer.from([message.length >> 8, message.length & 255])

function answerTo(query: DnsQuery, message: Buffer): DnsAnswer | undefined {
  let answer: DnsAnswer
  try {
    answer = decodeAnswer(message)
  } catch {
    return undefined // Not a valid message.
  }
  const [given, ...more] = answer.questions
  const isOurs =
    answer.isResponse &&
    answer.id === query.id &&
    given !== undefined &&
    more.length === 0 &&
    given.name === query.name &&
    given.code === query.code &&
    given.isInternet
  return isOurs ? answer : undefined
}
