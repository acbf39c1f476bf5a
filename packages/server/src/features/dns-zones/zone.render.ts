import { defaultTtl, dnsRecordTypes } from '@panel/contract/dns-records'
import { excludes, isDelegation } from './record-conflict.policy.ts'
import { isNormalRecord } from './record.policy.ts'
import { isHostname } from '../../net/hostname.ts'
import { presentationOf, rdataOf } from '../../record-types/record-types.ts'
import { isAtOrBelow } from '../domains/hostname.policy.ts'
import type { ZoneRecord } from './zone-record.types.ts'

export interface Zone {
  name: string
  serial: number
  nameservers: readonly string[]
  hostmaster: string
  records: readonly ZoneRecord[]
  extraTxt?: readonly { owner: string; value: string }[]
  edges?: ZoneEdges | undefined
}

/** Further machines on which every domain is served. */
export interface ZoneEdges {
  publicIp: string
  addresses: readonly string[]
  /** Hostnames of domains, also wildcards. */
  hostnames: readonly string[]
}

/** Deterministic RFC 1035 file. Throws RangeError unless records are normalized, so that no value can inject a line. */
export function renderZone(zone: Zone): string {
  const { name } = zone
  if (!isHostname(name)) throw new RangeError(`Invalid zone name ${JSON.stringify(name)}`)
  const records = [...apexNameservers(zone), ...zone.records, ...challenges(zone), ...edgeAddresses(zone)]
  for (const record of records)
    if (!isNormalRecord(record, name)) throw new RangeError(`Invalid record for ${name}: ${JSON.stringify(record)}`)
  const lines = sharedTtls(records)
    .map((record) => ({ key: sortKey(record), line: lineOf(record, name) }))
    .sort((one, other) => compare(one.key, other.key))
    .map(({ line }) => line)
  return [`$ORIGIN ${name}.`, `$TTL ${defaultTtl}`, soa(zone, records), ...lines, ''].join('\n')
}

export function renderRecords(
  zone: Omit<Zone, 'records'> & { records: string }
): { text: string } | { problem: string } {
  try {
    return { text: renderZone({ ...zone, records: JSON.parse(zone.records) as ZoneRecord[] }) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { problem: error.message }
  }
}

function apexNameservers({ name, nameservers, records }: Zone): ZoneRecord[] {
  if (records.some(({ owner, type }) => type === 'NS' && owner === name)) return []
  return nameservers.map((value) => ({ owner: name, type: 'NS', value, ttl: defaultTtl, ...noNumbers }))
}

/** Skipped at a CNAME or delegation: the CA follows those, and a record here would make the zone invalid. */
function challenges({ name, records, extraTxt = [] }: Zone): ZoneRecord[] {
  const distinct = new Map(extraTxt.map(({ owner, value }) => [`${owner} ${value}`, { owner, value }]))
  return [...distinct.values()]
    .map(({ owner, value }): ZoneRecord => ({ owner, type: 'TXT', value, ttl: challengeTtl, ...noNumbers }))
    .filter((challenge) => {
      const isElsewhere = (record: ZoneRecord) =>
        (record.owner === challenge.owner && excludes(record, challenge, name)) ||
        (isDelegation(record, name) && isAtOrBelow(challenge.owner, record.owner))
      const stands = ({ owner, type, value }: ZoneRecord) =>
        type === 'TXT' && owner === challenge.owner && value === challenge.value
      return !records.some((record) => isElsewhere(record) || stands(record))
    })
}

/** Where a domain points to the panel's machine, it points to the edges too, and soon no longer to a lost one. */
function edgeAddresses({ records, edges }: Zone): ZoneRecord[] {
  if (!edges) return []
  const { publicIp, addresses } = edges
  const hostnames = new Set(edges.hostnames)
  const isHere = ({ owner, type, value }: ZoneRecord) => type === 'A' && value === publicIp && hostnames.has(owner)
  const values = new Set(records.filter(({ type }) => type === 'A').map(({ owner, value }) => `${owner} ${value}`))
  return records
    .filter(isHere)
    .flatMap(({ owner }) =>
      addresses
        .filter((value) => !values.has(`${owner} ${value}`))
        .map((value): ZoneRecord => ({ owner, type: 'A', value, ttl: edgeTtl, ...noNumbers }))
    )
}

/** RFC 2181 §5.2: all records of a set have the same TTL. */
function sharedTtls(records: readonly ZoneRecord[]): ZoneRecord[] {
  const lowest = new Map<string, number>()
  const keyOf = ({ owner, type }: ZoneRecord) => `${owner} ${type}`
  for (const record of records) lowest.set(keyOf(record), Math.min(record.ttl, lowest.get(keyOf(record)) ?? record.ttl))
  return records.map((record) => ({ ...record, ttl: lowest.get(keyOf(record))! }))
}

function soa({ name, serial, hostmaster, nameservers }: Zone, records: readonly ZoneRecord[]): string {
  const apex = records.filter(({ owner, type }) => type === 'NS' && owner === name).map(({ value }) => value)
  const primary = nameservers.find((nameserver) => apex.includes(nameserver)) ?? apex[0]
  if (primary === undefined) throw new RangeError(`Zone ${name} has no name server`)
  if (!Number.isInteger(serial) || serial < 0 || serial >= 2 ** 32) throw new RangeError(`Invalid serial ${serial}`)
  return `@ ${defaultTtl} IN SOA ${primary}. ${mailboxName(hostmaster)} ${serial} 7200 3600 1209600 3600`
}

function mailboxName(address: string): string {
  const [, local, host] = /^([A-Za-z0-9._-]{1,63})@(.{1,189})$/.exec(address) ?? []
  if (!local || !host || !isHostname(host))
    throw new RangeError(`Invalid hostmaster address ${JSON.stringify(address)}`)
  return `${local.replaceAll('.', '\\.')}.${host}.`
}

function lineOf(record: ZoneRecord, zoneName: string): string {
  const { owner, ttl, type } = record
  const name = owner === zoneName ? '@' : owner.slice(0, -zoneName.length - 1)
  return `${name} ${ttl} IN ${type} ${rdataOf(type, record)}`
}

function sortKey({ owner, type, ...rest }: ZoneRecord): string {
  const name = owner.split('.').reverse().join('\0')
  return [name, String(typeOrder.indexOf(type)).padStart(2, '0'), presentationOf(rest)].join('\0\0')
}

// By code unit, independent of the locale.
function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const challengeTtl = 60
const edgeTtl = 60
const noNumbers = { priority: null, weight: null, port: null }
const typeOrder = ['NS', ...dnsRecordTypes.filter((type) => type !== 'NS')]
