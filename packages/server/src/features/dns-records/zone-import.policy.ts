import type { DnsRecordType, ZoneLine } from '@panel/contract/dns-records'
import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'
import { baseOf } from '../domains/hostname.policy.ts'
import { type RecordContent, ValueProblem } from '../../record-types/record-type.ts'
import { isRecordType, recordTypes } from '../../record-types/record-types.ts'
import { normalizeRecord, type RecordValues } from '../dns-zones/record.policy.ts'
import type { ParsedZoneFile, ZoneFileRecord } from './zone-file-parser.policy.ts'
import { zoneLine } from './zone-line.policy.ts'

export type ImportedRecord = RecordValues & {
  line: number
}

/** `errors`: invalid lines; `skipped`: records that the panel manages. Ignores the SOA and our own NS records. */
export function toImport(
  parsed: ParsedZoneFile,
  hostname: string,
  zoneName: string,
  nameservers: readonly string[] = []
): { records: ImportedRecord[]; skipped: ZoneLine[]; errors: ZoneLine[] } {
  const records: ImportedRecord[] = []
  const skipped: ZoneLine[] = []
  const errors = [...parsed.errors]
  const ttls = new Map<string, number>()
  let isSigned = false
  for (const found of parsed.records) {
    const { line, owner, type } = found
    if (type === 'SOA') continue
    if (type === 'NS' && [zoneName, hostname, baseOf(hostname)].includes(owner)) {
      if (!nameservers.includes(found.rdata[0]!.text.replace(/\.$/, '').toLowerCase()))
        skipped.push(zoneLine(line, { code: 'APEX_SERVERS' }))
      continue
    }
    if (dnssecTypes.includes(type)) {
      if (!isSigned) skipped.push(zoneLine(line, { code: 'DNSSEC_RECORDS' }))
      isSigned = true
      continue
    }
    const result = importedRecord(found, hostname)
    if ('why' in result) {
      errors.push(zoneLine(line, result.why))
      continue
    }
    // RFC 2181 §5.2: one TTL per set; the first wins, as in name servers.
    const key = `${result.record.name} ${type}`
    const ttl = ttls.get(key) ?? result.record.ttl
    ttls.set(key, ttl)
    records.push({ ...result.record, ttl, line })
  }
  errors.sort((one, other) => one.line - other.line)
  return { records, skipped, errors }
}

export const boundedLines = (skipped: readonly ZoneLine[]): ZoneLine[] =>
  [...skipped].sort((one, other) => one.line - other.line).slice(0, maxErrors)

export function bounded(errors: readonly string[]): string[] {
  if (errors.length <= maxErrors) return [...errors]
  return [...errors.slice(0, maxErrors), `and ${errors.length - maxErrors} more`]
}

interface Refused {
  why: Sentence<ZoneLineCode>
}

/** A line has one code; problems of its values are embedded as English text. */
const invalid = (problem: string): Refused => ({ why: { code: 'INVALID', values: { problem } } })

function importedRecord(found: ZoneFileRecord, hostname: string): { record: RecordValues } | Refused {
  const { type, rdata } = found
  if (!isRecordType(type)) return { why: { code: 'TYPE_NOT_SUPPORTED', values: { type } } }
  const { fields } = recordTypes[type].file
  if (fields !== undefined && rdata.length !== fields)
    return { why: { code: 'OTHER_COUNT', values: { type, count: rdata.length, wanted: fields } } }
  const values = contentOf(type, rdata)
  if ('why' in values) return values
  const result = normalizeRecord({ type, name: `${found.owner}.`, ttl: found.ttl, ...values }, hostname)
  if ('record' in result) return result
  return invalid(result.problems.map(({ path, message }) => `${path} ${message}`).join('; '))
}

function contentOf(type: DnsRecordType, rdata: ZoneFileRecord['rdata']): RecordContent | Refused {
  const { members, file } = recordTypes[type]
  const numbers: Omit<RecordContent, 'value'> = { priority: null, weight: null, port: null }
  members.forEach((member, index) => (numbers[member] = numberOf(rdata[index]?.text ?? '')))
  try {
    return { value: file.read(rdata.slice(members.length)), ...numbers }
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    return invalid(error.message)
  }
}

const numberOf = (text: string): number => (/^\d{1,5}$/.test(text) ? Number(text) : NaN)

const maxErrors = 1_000
const dnssecTypes = ['DNSKEY', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'CDS', 'CDNSKEY']
