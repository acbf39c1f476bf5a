import type { SkippedLine } from '@panel/contract/common'
import type { DnsRecordType } from '@panel/contract/dns-records'
import { baseOf } from '../domains/hostname.policy.ts'
import { type RecordContent, ValueProblem } from '../../record-types/record-type.ts'
import { isRecordType, recordTypes } from '../../record-types/record-types.ts'
import { normalizeRecord, type RecordValues } from '../dns-zones/record.policy.ts'
import type { ParsedZoneFile, ZoneFileRecord } from './zone-file-parser.policy.ts'

export type ImportedRecord = RecordValues & {
  /** Of the file. */
  line: number
}

/**
 * The records of a zone file that the domain can have, in normal form; `errors` says of the others why not: `line 3: …`, and `skipped`
 * of what is right but the panel's own to make. Left out without a word are the SOA and the zone's own name servers where they are
 * `nameservers`.
 */
export function toImport(
  parsed: ParsedZoneFile,
  hostname: string,
  zoneName: string,
  nameservers: readonly string[] = []
): { records: ImportedRecord[]; skipped: SkippedLine[]; errors: string[] } {
  const records: ImportedRecord[] = []
  const skipped: SkippedLine[] = []
  const problems = [...parsed.errors]
  const ttls = new Map<string, number>()
  let isSigned = false
  for (const found of parsed.records) {
    const { line, owner, type } = found
    if (type === 'SOA') continue
    if (type === 'NS' && [zoneName, hostname, baseOf(hostname)].includes(owner)) {
      if (!nameservers.includes(found.rdata[0]!.text.replace(/\.$/, '').toLowerCase()))
        skipped.push({ line, reason: apexMessage })
      continue
    }
    if (dnssecTypes.includes(type)) {
      if (!isSigned) skipped.push({ line, reason: dnssecMessage })
      isSigned = true
      continue
    }
    const result = importedRecord(found, hostname)
    if ('problem' in result) {
      problems.push({ line, message: result.problem })
      continue
    }
    // RFC 2181 §5.2: one TTL for a name and type; as name servers do that read the file, the first counts.
    const key = `${result.record.name} ${type}`
    const ttl = ttls.get(key) ?? result.record.ttl
    ttls.set(key, ttl)
    records.push({ ...result.record, ttl, line })
  }
  problems.sort((one, other) => one.line - other.line)
  return { records, skipped, errors: bounded(problems.map(({ line, message }) => `line ${line}: ${message}`)) }
}

/** As many as a person may read, by line. */
export const boundedLines = (skipped: readonly SkippedLine[]): SkippedLine[] =>
  [...skipped].sort((one, other) => one.line - other.line).slice(0, maxErrors)

/** As many errors as a person may read. */
export function bounded(errors: readonly string[]): string[] {
  if (errors.length <= maxErrors) return [...errors]
  return [...errors.slice(0, maxErrors), `and ${errors.length - maxErrors} more`]
}

function importedRecord(found: ZoneFileRecord, hostname: string): { record: RecordValues } | { problem: string } {
  const { type, rdata } = found
  if (!isRecordType(type)) return { problem: `${type} records are not supported` }
  const { fields } = recordTypes[type].file
  if (fields !== undefined && rdata.length !== fields)
    return { problem: `${type} has ${rdata.length} values instead of ${fields}` }
  const values = contentOf(type, rdata)
  if ('problem' in values) return values
  const result = normalizeRecord({ type, name: `${found.owner}.`, ttl: found.ttl, ...values }, hostname)
  if ('record' in result) return result
  return { problem: result.problems.map(({ path, message }) => `${path} ${message}`).join('; ') }
}

function contentOf(type: DnsRecordType, rdata: ZoneFileRecord['rdata']): RecordContent | { problem: string } {
  const { members, file } = recordTypes[type]
  const numbers: Omit<RecordContent, 'value'> = { priority: null, weight: null, port: null }
  members.forEach((member, index) => (numbers[member] = numberOf(rdata[index]?.text ?? '')))
  try {
    return { value: file.read(rdata.slice(members.length)), ...numbers }
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    return { problem: error.message }
  }
}

const numberOf = (text: string): number => (/^\d{1,5}$/.test(text) ? Number(text) : NaN)

const maxErrors = 1_000
const dnssecTypes = ['DNSKEY', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'CDS', 'CDNSKEY']
const dnssecMessage = 'DNSSEC records are left out: this server signs its zones itself'
const apexMessage = 'the name servers of the zone itself stay those of this server'
