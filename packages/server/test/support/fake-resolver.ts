import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import * as dnsPacket from 'dns-packet'

const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, YXDOMAIN: 6 } as const
export type Rcode = keyof typeof rcodes

interface Rule {
  /** Record data of the queried name and type in dns-packet's format. */
  values?: readonly unknown[]
  /** Whole records, such as a CNAME target or a referral. */
  answers?: readonly dnsPacket.Answer[]
  authorities?: readonly dnsPacket.Answer[]
  additionals?: readonly dnsPacket.Answer[]
  rcode?: Rcode
  /** No response; `tcp`: none over TCP. */
  drop?: boolean | 'tcp'
  delayMs?: number
  /** Empty UDP response with TC; automatic for large ones. */
  truncate?: boolean
  /** Forged responses sent over UDP before the real one. */
  forged?: readonly Forgery[]
}

export type Forgery = 'id' | 'question' | 'no answer' | 'garbage' | 'empty'

interface FakeQuery {
  name: string
  type: string
  protocol: 'udp' | 'tcp'
  recursionDesired: boolean
}

export interface FakeResolver {
  host: string
  port: number
  /** `host:port`, as in DNS_RESOLVERS. */
  address: string
  /** A name with rules only for other types is NODATA; unknown names use `fallback`. */
  set(name: string, type: string, rule: Rule): void
  fallback: Rule
  reset(): void
  queries: FakeQuery[]
  close(): Promise<void>
}

/** A rule-based name server on a loopback address over UDP and TCP. */
export async function startFakeResolver(host = '127.0.0.11', port = 0): Promise<FakeResolver> {
  // A free UDP port may be in use for TCP.
  for (let left = 5; ; left--) {
    try {
      return await start(host, port)
    } catch (error) {
      if (left === 0 || port !== 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

async function start(host: string, wantedPort: number): Promise<FakeResolver> {
  const rules = new Map<string, Map<string, Rule>>()
  const connections = new Set<Socket>()
  const pending = new Set<NodeJS.Timeout>()
  const udp = createSocket('udp4')
  const tcp = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', () => {})
    serveTcp(socket)
  })

  udp.bind(wantedPort, host)
  await once(udp, 'listening')
  const { port } = udp.address()
  tcp.listen(port, host)
  await once(tcp, 'listening').catch((error: unknown) => {
    udp.close()
    throw error
  })

  const self: FakeResolver = {
    host,
    port: (tcp.address() as AddressInfo).port,
    address: `${host}:${port}`,
    fallback: { rcode: 'NXDOMAIN' },
    queries: [],
    set(name, type, rule) {
      const types = rules.get(name.toLowerCase()) ?? new Map<string, Rule>()
      rules.set(name.toLowerCase(), types.set(type, rule))
    },
    reset() {
      rules.clear()
      self.queries.length = 0
      self.fallback = { rcode: 'NXDOMAIN' }
    },
    async close() {
      for (const timer of pending) clearTimeout(timer)
      for (const socket of connections) socket.destroy()
      const closed = [once(udp, 'close'), once(tcp, 'close')]
      udp.close()
      tcp.close()
      await Promise.all(closed)
    }
  }

  const later = (delayMs: number, send: () => void) => {
    const timer = setTimeout(() => {
      pending.delete(timer)
      send()
    }, delayMs)
    pending.add(timer)
  }
  const ruleFor = (message: Buffer, protocol: FakeQuery['protocol']) => {
    const query = dnsPacket.decode(message)
    const { name, type } = query.questions![0]!
    self.queries.push({ name: name.toLowerCase(), type, protocol, recursionDesired: query.flag_rd })
    const types = rules.get(name.toLowerCase())
    return { query, rule: types ? (types.get(type) ?? {}) : self.fallback }
  }
  udp.on('message', (message, { port: from, address }) => {
    const { query, rule } = ruleFor(message, 'udp')
    for (const forgery of rule.forged ?? []) udp.send(forge(query, forgery), from, address)
    if (rule.drop !== true) later(rule.delayMs ?? 0, () => udp.send(fitting(query, rule), from, address))
  })
  const serveTcp = (socket: Socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
        const end = 2 + bytes.readUInt16BE(0)
        const { query, rule } = ruleFor(bytes.subarray(2, end), 'tcp')
        bytes = bytes.subarray(end)
        if (!rule.drop)
          later(rule.delayMs ?? 0, () => socket.write(dnsPacket.streamEncode(responseTo(query, rule, false))))
      }
    })
  }
  return self
}

/** UDP response, truncated if larger than the client accepts (RFC 1035 §4.2.1, RFC 6891 §6.2.5). */
function fitting(query: dnsPacket.DecodedPacket, rule: Rule): Buffer {
  const whole = dnsPacket.encode(responseTo(query, rule, false))
  const edns = query.additionals?.find((record) => record.type === 'OPT')
  const limit = Math.max(512, edns?.udpPayloadSize ?? 0)
  return rule.truncate || whole.length > limit ? dnsPacket.encode(responseTo(query, {}, true)) : whole
}

function responseTo(query: dnsPacket.DecodedPacket, rule: Rule, isTruncated: boolean): dnsPacket.Packet {
  const { name, type } = query.questions![0]!
  const own = (rule.values ?? []).map((data) => ({ name, type, class: 'IN', ttl: 60, data }) as dnsPacket.Answer)
  return {
    type: 'response',
    id: query.id,
    flags:
      dnsPacket.RECURSION_DESIRED |
      dnsPacket.RECURSION_AVAILABLE |
      (isTruncated ? dnsPacket.TRUNCATED_RESPONSE : 0) |
      rcodes[rule.rcode ?? 'NOERROR'],
    questions: query.questions,
    answers: [...own, ...(rule.answers ?? [])],
    authorities: [...(rule.authorities ?? [])],
    additionals: [...(rule.additionals ?? [])]
  }
}

const falseData: Readonly<Record<string, unknown>> = {
  NS: 'forged.example',
  TXT: 'forged',
  DS: { keyTag: 66, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) }
}

function forge(query: dnsPacket.DecodedPacket, forgery: Forgery): Buffer {
  if (forgery === 'garbage') return Buffer.from('no message at all')
  if (forgery === 'empty') return Buffer.alloc(0)
  const [question] = query.questions!
  const name = forgery === 'question' ? `other.${question!.name}` : question!.name
  const answer = { name, type: question!.type, class: 'IN', ttl: 60, data: falseData[question!.type] ?? '192.0.2.66' }
  const packet: dnsPacket.Packet = {
    ...responseTo(query, { answers: [answer as dnsPacket.Answer] }, false),
    questions: [{ ...question!, name }],
    ...(forgery === 'id' ? { id: (query.id! + 1) % 65_536 } : {})
  }
  const bytes = dnsPacket.encode(packet)
  if (forgery === 'no answer') bytes[2]! &= 0x7f // QR bit.
  return bytes
}
