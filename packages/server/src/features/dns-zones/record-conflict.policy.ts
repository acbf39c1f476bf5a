import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { type ZoneLineCode, zoneLineTexts } from '@panel/contract/zone-line-texts'
import type { ZoneRecord } from './zone-record.types.ts'
import { recordTypes } from '../../record-types/record-types.ts'
import { isAtOrBelow } from '../domains/hostname.policy.ts'

export interface RecordConflict {
  code: 'DNS_RECORD_EXISTS' | 'DNS_RECORD_CONFLICT' | 'VALIDATION_ERROR'
  message: string
  why: Sentence<ZoneLineCode>
  with?: ZoneRecord
}

export function conflictOf(
  candidate: ZoneRecord,
  others: readonly ZoneRecord[],
  zoneName: string
): RecordConflict | undefined {
  const sameSet = others.filter((other) => other.owner === candidate.owner && other.type === candidate.type)
  const count = sameSet.length
  const bytes = sameSet.reduce((sum, record) => sum + wireBytesAtMost(record), 0)
  const hasCandidate = sameSet.some((other) => isSameRecord(other, candidate))
  return conflictBeside(candidate, { count, bytes, hasCandidate }, others, zoneName)
}

interface SameSet {
  count: number
  bytes: number
  hasCandidate: boolean
}

/** `others` needs only one record of each set at the name, one delegation above and one non-address record below. */
export function conflictBeside(
  candidate: ZoneRecord,
  sameSet: SameSet,
  others: readonly ZoneRecord[],
  zoneName: string
): RecordConflict | undefined {
  const { owner, type } = candidate
  if (!isAtOrBelow(owner, zoneName)) return invalid({ code: 'NOT_IN_ZONE', values: { owner, zone: zoneName } })
  if (type === 'CNAME' && owner === zoneName) return invalid({ code: 'CNAME_AT_APEX', values: { zone: zoneName } })
  if (isDelegation(candidate, zoneName) && candidate.value === owner)
    return invalid({ code: 'OWN_NAME_SERVER', values: { owner } })
  if (sameSet.hasCandidate)
    return foundConflict('DNS_RECORD_EXISTS', { code: 'THERE_ALREADY', values: { owner, type } })

  const sameOwner = others.filter((other) => other.owner === owner)
  return (
    cnameConflict(candidate, sameOwner) ??
    delegationConflict(candidate, others, zoneName) ??
    typeConflict(candidate, sameOwner) ??
    sizeProblem(candidate, sameSet)
  )
}

/** Equality without the TTL (RFC 2181 §5). */
export function isSameRecord(one: ZoneRecord, other: ZoneRecord): boolean {
  return one.owner === other.owner && one.type === other.type && contentOf(one) === contentOf(other)
}

export function contentOf({ value, priority, weight, port }: Omit<ZoneRecord, 'owner'>): string {
  return [priority, weight, port, value].join(' ')
}

/** An NS record below the apex delegates its name and everything below it. */
export function isDelegation(record: ZoneRecord, zoneName: string): boolean {
  return record.type === 'NS' && record.owner !== zoneName
}

/** Whether both cannot coexist at one owner: a CNAME must be alone (RFC 1034 §3.6.2), and so must a delegation. */
export function excludes(one: ZoneRecord, other: ZoneRecord, zoneName: string): boolean {
  if (one.type === 'CNAME' || other.type === 'CNAME') return true
  return one.type !== other.type && (isDelegation(one, zoneName) || isDelegation(other, zoneName))
}

function cnameConflict(candidate: ZoneRecord, sameOwner: readonly ZoneRecord[]): RecordConflict | undefined {
  if (candidate.type === 'CNAME' && sameOwner[0])
    return conflict(
      { code: 'CNAME_NOT_ALONE', values: { owner: candidate.owner, types: typesOf(sameOwner) } },
      sameOwner[0]
    )
  const cname = sameOwner.find((other) => other.type === 'CNAME')
  return cname && conflict({ code: 'CNAME_THERE', values: { owner: candidate.owner } }, cname)
}

const typesOf = (records: readonly ZoneRecord[]): string[] => [...new Set(records.map(({ type }) => type))].sort()

function delegationConflict(
  candidate: ZoneRecord,
  others: readonly ZoneRecord[],
  zoneName: string
): RecordConflict | undefined {
  const isGlue = candidate.type === 'A' || candidate.type === 'AAAA'
  for (const other of others) {
    const isSameOwner = other.owner === candidate.owner
    if (isSameOwner && excludes(candidate, other, zoneName))
      return conflict({ code: 'DELEGATION_NOT_ALONE', values: { owner: candidate.owner, type: other.type } }, other)
    if (!isSameOwner && !isGlue && isDelegation(other, zoneName) && isAtOrBelow(candidate.owner, other.owner))
      return conflict({ code: 'BELOW_DELEGATION', values: { above: other.owner, server: other.value } }, other)
    const isAddress = other.type === 'A' || other.type === 'AAAA'
    if (!isSameOwner && !isAddress && isDelegation(candidate, zoneName) && isAtOrBelow(other.owner, candidate.owner))
      return conflict(
        { code: 'ABOVE_RECORDS', values: { below: other.owner, type: other.type, owner: candidate.owner } },
        other
      )
  }
  return undefined
}

function typeConflict(candidate: ZoneRecord, sameOwner: readonly ZoneRecord[]): RecordConflict | undefined {
  const { type } = candidate
  for (const other of sameOwner) {
    const why = other.type === type ? recordTypes[type].conflict?.(candidate, other) : undefined
    if (why) return conflict(why, other)
  }
  return undefined
}

/** A record set must fit in one DNS message of 64 KiB. */
function sizeProblem(candidate: ZoneRecord, { count, bytes }: SameSet): RecordConflict | undefined {
  if (count < maxSetSize && bytes + wireBytesAtMost(candidate) <= 60_000) return undefined
  return invalid({ code: 'SET_TOO_LARGE', values: { owner: candidate.owner, type: candidate.type, max: maxSetSize } })
}

/** 12 bytes before the data and at most 6 bytes of numbers in it. */
export const wireBytesAtMost = ({ type, value }: ZoneRecord): number => 18 + recordTypes[type].wireBytes(value)

/** For comparison, BIND allows 100 by default. */
const maxSetSize = 500

const foundConflict = (code: RecordConflict['code'], why: Sentence<ZoneLineCode>): RecordConflict => ({
  code,
  message: sentenceText(zoneLineTexts, [why]),
  why
})

const invalid = (why: Sentence<ZoneLineCode>): RecordConflict => foundConflict('VALIDATION_ERROR', why)

const conflict = (why: Sentence<ZoneLineCode>, other: ZoneRecord): RecordConflict => ({
  ...foundConflict('DNS_RECORD_CONFLICT', why),
  with: other
})
