import { defaultTtl, dnsRecordTypes } from '@panel/contract/dns-records'
import { excludes, isDelegation } from '../dns-records/record-conflict.policy.ts'
import { presentationOf } from '../dns-records/record-presentation.policy.ts'
import { isNormalRecord } from '../dns-records/record.policy.ts'
import { isAtOrBelow, isHostname } from '../domains/hostname.policy.ts'
import type { ZoneRecord } from './zone-record.ts'

export interface Zone {
  name: string
  serial: number
  /** Host names; they stand where the records have no NS at the apex. */
  nameservers: readonly string[]
  /** Mail address. */
  hostmaster: string
  records: readonly ZoneRecord[]
  /** Values of ACME's DNS challenges. */
  extraTxt?: readonly { owner: string; value: string }[]
}

/**
 * The zone as an RFC 1035 file: ASCII, a record per line, the same text for the same records. Throws RangeError for what is no record
 * in normal form: whatever reached the store, no value begins a line of its own.
 */
export function renderZone(zone: Zone): string {
  const { name } = zone
  if (!isHostname(name)) throw new RangeError(`${JSON.stringify(name)} is no zone`)
  const records = [...apexNameservers(zone), ...zone.records, ...challenges(zone)]
  for (const record of records)
    if (!isNormalRecord(record, name)) throw new RangeError(`${JSON.stringify(record)} is no record of ${name}`)
  const lines = sharedTtls(records)
    .map((record) => ({ key: sortKey(record), line: lineOf(record, name) }))
    .sort((one, other) => compare(one.key, other.key))
    .map(({ line }) => line)
  return [`$ORIGIN ${name}.`, `$TTL ${defaultTtl}`, soa(zone, records), ...lines, ''].join('\n')
}

/** A character string of at most 255 bytes each (RFC 1035 §3.3.14); a character of several bytes may be cut, they are joined again. */
export function quoteText(text: string): string {
  const bytes = Buffer.from(text)
  // Byte by byte into one buffer: a zone may hold megabytes, and a string for each byte would take a hundred times as long.
  const quoted = Buffer.allocUnsafe(bytes.length * 4 + Math.ceil(bytes.length / 255) * 3 + 2)
  let length = quoted.write('"', 'latin1')
  for (let index = 0; index < bytes.length; index++) {
    if (index > 0 && index % 255 === 0) length += quoted.write('" "', length, 'latin1')
    for (const code of escapes[bytes[index]!]!) quoted[length++] = code
  }
  length += quoted.write('"', length, 'latin1')
  return quoted.toString('latin1', 0, length)
}

/** By byte. */
const escapes = Array.from({ length: 256 }, (_, byte) => Buffer.from(escapeByte(byte)))

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === '"' || character === '\\') return `\\${character}`
  return byte >= 32 && byte <= 126 ? character : `\\${String(byte).padStart(3, '0')}`
}

function apexNameservers({ name, nameservers, records }: Zone): ZoneRecord[] {
  if (records.some(({ owner, type }) => type === 'NS' && owner === name)) return []
  return nameservers.map((value) => ({ owner: name, type: 'NS', value, ttl: defaultTtl, ...noNumbers }))
}

/**
 * One TXT record each, which caches forget soon. Where the owner of the zone has put a CNAME or a delegation, the CA looks elsewhere,
 * and a record here would break the zone.
 */
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

/** RFC 2181 §5.2: the records of one name and type have one TTL. */
function sharedTtls(records: readonly ZoneRecord[]): ZoneRecord[] {
  const lowest = new Map<string, number>()
  const keyOf = ({ owner, type }: ZoneRecord) => `${owner} ${type}`
  for (const record of records) lowest.set(keyOf(record), Math.min(record.ttl, lowest.get(keyOf(record)) ?? record.ttl))
  return records.map((record) => ({ ...record, ttl: lowest.get(keyOf(record))! }))
}

function soa({ name, serial, hostmaster, nameservers }: Zone, records: readonly ZoneRecord[]): string {
  const apex = records.filter(({ owner, type }) => type === 'NS' && owner === name).map(({ value }) => value)
  const primary = nameservers.find((nameserver) => apex.includes(nameserver)) ?? apex[0]
  if (primary === undefined) throw new RangeError(`${name} has no name server`)
  if (!Number.isInteger(serial) || serial < 0 || serial >= 2 ** 32) throw new RangeError(`${serial} is no serial`)
  return `@ ${defaultTtl} IN SOA ${primary}. ${mailboxName(hostmaster)} ${serial} 7200 3600 1209600 3600`
}

/** RFC 1035 §8: the part before the @ is one label, whose dots are escaped. */
function mailboxName(address: string): string {
  const [, local, host] = /^([A-Za-z0-9._-]{1,63})@(.{1,189})$/.exec(address) ?? []
  if (!local || !host || !isHostname(host)) throw new RangeError(`${JSON.stringify(address)} is no mail address`)
  return `${local.replaceAll('.', '\\.')}.${host}.`
}

function lineOf(record: ZoneRecord, zoneName: string): string {
  const { owner, ttl, type } = record
  const name = owner === zoneName ? '@' : owner.slice(0, -zoneName.length - 1)
  return `${name} ${ttl} IN ${type} ${rdata(record)}`
}

function rdata(record: ZoneRecord): string {
  if (record.type === 'TXT') return quoteText(record.value)
  const text = presentationOf(record)
  const isAbsoluteName = !['A', 'AAAA', 'CAA'].includes(record.type) && record.value !== '.'
  return isAbsoluteName ? `${text}.` : text
}

/** The apex first, then name by name as DNS sorts them, and type by type. */
function sortKey({ owner, type, ...rest }: ZoneRecord): string {
  const name = owner.split('.').reverse().join('\0')
  return [name, typeOrder.indexOf(type), presentationOf({ type, ...rest })].join('\0\0')
}

// By code units: no locale may change the order.
function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const challengeTtl = 60
const noNumbers = { priority: null, weight: null, port: null }
const typeOrder = ['NS', ...dnsRecordTypes.filter((type) => type !== 'NS')]
