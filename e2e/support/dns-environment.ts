import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { DnsRecord } from '@panel/contract/dns-records'
import type { CreatedDomain, Domain, VerifyResult } from '@panel/contract/domains'
import { dnsServerPaths } from '../../packages/server/src/process/paths.ts'
import { type KnotPaths, knotPaths } from '../../packages/server/src/infra/dns-server/knot-paths.ts'
import { type FakeResolver, startFakeResolver } from '../../packages/server/test/support/fake-resolver.ts'
import { type Address, ask } from '../dns/server.harness.ts'
import { serviceData } from '../dns/zone-oracles.ts'
import { rdataOf as inZoneFile } from '../../packages/server/src/record-types/record-types.ts'
import type { Client, RunningPanel } from './panel.ts'

const execute = promisify(execFile)

export const publicIp = '203.0.113.7'
export const nameservers = ['ns1.hosting.test', 'ns2.hosting.test']

export interface DnsEnvironment {
  /** Public DNS as the panel sees it; unset names are NXDOMAIN. */
  resolvers: readonly [FakeResolver, FakeResolver, FakeResolver]
  env: Record<string, string>
  set(name: string, type: string, values: readonly unknown[]): void
  /** A domain verified by its TXT record at one resolver, or by a parent domain. */
  addDomain(by: Client, hostname: string, values?: Record<string, unknown>): Promise<CreatedDomain>
  /** A domain whose zone is on the panel's name server. */
  addZone(by: Client, hostname: string): Promise<CreatedDomain>
  close(): Promise<void>
}

export async function startDnsEnvironment(): Promise<DnsEnvironment> {
  const resolvers = await Promise.all([
    startFakeResolver('127.0.0.11'),
    startFakeResolver('127.0.0.12'),
    startFakeResolver('127.0.0.13')
  ])
  const addDomain: DnsEnvironment['addDomain'] = async (by, hostname, values = {}) => {
    const domain = await by.call<CreatedDomain>('POST', '/domains', { hostname, ...values })
    const { verificationInstructions: proof } = domain
    if (!proof) return domain
    resolvers[1].set(proof.recordName, 'TXT', { values: [proof.recordValue] })
    const { verified, message } = await by.call<VerifyResult>('POST', `/domains/${domain.id}/verify`)
    if (!verified) throw new Error(`${hostname} is not verified: ${message}`)
    return domain
  }
  return {
    resolvers,
    env: {
      DNS_RESOLVERS: resolvers.map(({ address }) => address).join(),
      DNS_NAMESERVERS: nameservers.join(),
      PUBLIC_IP: publicIp
    },
    set: (name, type, values) => resolvers.forEach((resolver) => resolver.set(name, type, { values })),
    addDomain,
    async addZone(by, hostname) {
      const domain = await addDomain(by, hostname)
      await setDnsMode(by, domain.id, 'MANAGED')
      return domain
    },
    close: async () => void (await Promise.all(resolvers.map((resolver) => resolver.close())))
  }
}

export const setDnsMode = (by: Client, id: string, mode: Domain['dnsMode']) =>
  by.call<Domain>('PATCH', `/domains/${id}/dns-mode`, { mode, skipDelegationCheck: true })

export const addRecord = (by: Client, domainId: string, record: Partial<DnsRecord>) =>
  by.call<DnsRecord>('POST', `/domains/${domainId}/dns`, record)

export const listRecords = (by: Client, domainId: string) => by.call<DnsRecord[]>('GET', `/domains/${domainId}/dns`)

export const serverOf = (panel: Pick<RunningPanel, 'dnsPort'>): Address => ({
  address: '127.0.0.1',
  port: panel.dnsPort
})

/** What the panel's name server returns; `values` are the sorted records of the type, TXT as plain text. */
export async function dig(panel: Pick<RunningPanel, 'dnsPort'>, name: string, type: string, ...more: string[]) {
  return digAt(serverOf(panel), name, type, ...more)
}

export async function digAt(server: Address, name: string, type: string, ...more: string[]) {
  const { status, records, text } = await ask(server, name, type, more)
  const found = records.map(parseRecord).filter((record) => record.type === type)
  const values = found.map(({ rdata }) => (type === 'TXT' ? textOf(rdata) : rdata)).sort()
  return { status, values, ttls: [...new Set(found.map(({ ttl }) => ttl))], text }
}

export async function serialOf(server: Address, name: string): Promise<number> {
  const [soa] = (await digAt(server, name, 'SOA')).values
  return Number(soa?.split(' ')[2])
}

export const knotDirectories = async (panel: Pick<RunningPanel, 'dataDir'>): Promise<KnotPaths> =>
  knotPaths(await dnsServerPaths({ DATA_DIR: panel.dataDir }))

async function knotc(panel: Pick<RunningPanel, 'dataDir'>, ...args: string[]): Promise<string> {
  const { socket } = await knotDirectories(panel)
  const { stdout } = await execute('knotc', ['-s', socket, '-b', '-t', '10', ...args], { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

export async function servedZones(panel: Pick<RunningPanel, 'dataDir'>): Promise<string[]> {
  const names = [...(await knotc(panel, 'zone-status')).matchAll(/^\[([^\]]+)\.\]/gm)].map(([, name]) => name!)
  return names.filter((name) => name !== 'catalog.panel.invalid').sort()
}

/** All records of a zone except SOA and DNSSEC records, such as `www.shop.test A 192.0.2.1`. */
export async function servedRecords(panel: Pick<RunningPanel, 'dataDir'>, zone: string): Promise<string[]> {
  const lines = (await knotc(panel, 'zone-read', zone)).split('\n').filter((line) => line !== '')
  return lines
    .map((line) => parseRecord(line.replace(/^\[[^\]]+\] /, '')))
    .filter(({ type }) => !addedByServer.includes(type))
    .map(({ owner, type, rdata }) => `${owner} ${type} ${type === 'TXT' ? textOf(rdata) : rdata}`)
    .sort()
}

const addedByServer = ['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY']

/** An API record in the form of servedRecords. */
export function shown(record: Pick<DnsRecord, 'type' | 'name'> & Partial<DnsRecord>, hostname: string): string {
  return `${ownerOf(record, hostname)} ${record.type} ${rdataOf(record)}`
}

export function ownerOf({ name }: Pick<DnsRecord, 'name'>, hostname: string): string {
  if (name === '@') return hostname
  return name === hostname || name.endsWith(`.${hostname}`) ? name : `${name}.${hostname}`
}

/** In the form of dig: numbers first, hostnames with a trailing dot. */
export function rdataOf({ type, value = '', priority = null, weight = null, port = null }: Partial<DnsRecord>): string {
  const content = { value, priority, weight, port }
  return type === 'TXT' ? value : inZoneFile(type!, content)
}

function parseRecord(line: string): { owner: string; ttl: number; type: string; rdata: string } {
  const [, owner, ttl, type, rdata] = /^(\S+?)\.?\s+(\d+)\s+(?:IN\s+)?([A-Z0-9]+)\s+(.+?)\s*$/.exec(line) ?? []
  if (rdata === undefined) throw new Error(`no record: ${line}`)
  const data = type === 'SVCB' || type === 'HTTPS' ? serviceData(rdata) : rdata
  return { owner: owner!, ttl: Number(ttl), type: type!, rdata: data }
}

/** Bytes of a quoted TXT record (RFC 1035 §5.1) as UTF-8. */
function textOf(rdata: string): string {
  const strings = [...rdata.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, string]) =>
    string!.replace(/\\(\d{3}|.)/g, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped
    )
  )
  return Buffer.from(strings.join(''), 'latin1').toString('utf8')
}
