import type { Resolver } from 'node:dns/promises'
import type { Answer, CaaData, DsData, TxtData } from 'dns-packet'
import { type DnsAnswer, exchange, type ServerAddress } from './dns-exchange.ts'
import { DnsFailure } from './dns-failure.ts'
import type { LookupType } from './public-dns.ts'
import { hostText } from './query-name.ts'

/** A resolver in both forms: c-ares's, and the address for messages of our own. */
export interface Asked {
  resolver: Resolver
  server: ServerAddress
  timeoutMs: number
}

/**
 * How the values of a type are had. c-ares does it but for three: it does not know DS, Node's form of CAA loses tags (`critical`,
 * `__proto__`), and Node reads the bytes of TXT as Latin-1.
 */
export const valuesOf: Readonly<Record<LookupType, (asked: Asked, name: string) => Promise<string[]>>> = {
  A: ({ resolver }, name) => resolver.resolve4(name),
  AAAA: ({ resolver }, name) => resolver.resolve6(name),
  CNAME: async ({ resolver }, name) => (await resolver.resolveCname(name)).map(hostText),
  NS: async ({ resolver }, name) => (await resolver.resolveNs(name)).map(hostText),
  MX: async ({ resolver }, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${hostText(exchange)}`),
  SRV: async ({ resolver }, name) =>
    (await resolver.resolveSrv(name)).map(
      ({ priority, weight, port, name: target }) => `${priority} ${weight} ${port} ${hostText(target)}`
    ),
  TXT: (asked, name) => fromMessage<TxtData>(asked, name, 'TXT', txtText),
  CAA: (asked, name) => fromMessage<CaaData>(asked, name, 'CAA', caaText),
  DS: (asked, name) => fromMessage<DsData>(asked, name, 'DS', dsText)
}

async function fromMessage<Data>(
  { server, timeoutMs }: Asked,
  name: string,
  type: 'TXT' | 'CAA' | 'DS',
  textOf: (data: Data) => string
): Promise<string[]> {
  const answer = await exchange(server, { name, type, recursionDesired: true }, timeoutMs)
  if (answer.rcode !== 'NOERROR') throw new DnsFailure(answer.rcode)
  return recordsOf(answer, type).map((record) => textOf((record as Answer & { data: Data }).data))
}

/** Whatever their owner: the resolver has followed the CNAMEs from the name to them. */
const recordsOf = (answer: DnsAnswer, type: string): Answer[] =>
  (answer.answers ?? []).filter((record) => record.type === type)

/** The strings of one record belong together, and a character's bytes may lie in two of them. */
const txtText = (data: TxtData): string =>
  Buffer.concat([data].flat().map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))).toString('utf8')

const caaText = ({ flags = 0, tag, value }: CaaData): string =>
  `${flags} ${tag.toLowerCase()} "${value.replace(/["\\]/g, '\\$&')}"`

const dsText = ({ keyTag, algorithm, digestType, digest }: DsData): string =>
  `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex').toUpperCase()}`
