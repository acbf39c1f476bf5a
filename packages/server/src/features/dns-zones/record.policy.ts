import type { Described } from '@panel/contract/details'
import type { ZoneRecord } from './zone-record.types.ts'
import { type NumberMember, recordProblem, type RecordProblem, ValueProblem } from '../../record-types/record-type.ts'
import { isRecordType, recordTypes } from '../../record-types/record-types.ts'
import { baseOf, isAtOrBelow } from '../domains/hostname.policy.ts'
import { isSameRecord } from './record-conflict.policy.ts'
import { isOwner, ownerOf, relativeName } from './record-name.policy.ts'

export { conflictOf } from './record-conflict.policy.ts'
export { ownerOf } from './record-name.policy.ts'

/** A record with `name` relative to its domain: `@`, `www`, `*.dev`. */
export type RecordValues = Omit<ZoneRecord, 'owner'> & { name: string }

export type RecordInput = Pick<RecordValues, 'type' | 'name' | 'value' | 'ttl'> &
  Partial<Pick<RecordValues, NumberMember>>

export function normalizeRecord(
  input: RecordInput,
  hostname: string
): { record: RecordValues } | { problems: RecordProblem[] } {
  const named = relativeName(input.name, hostname)
  const name = 'name' in named ? named.name : '@'
  const owner = ownerOf(name, hostname)
  const nameProblem = 'problem' in named ? named.problem : recordTypes[input.type].ownerProblem?.(owner, hostname)
  const { values, problems } = withoutName(input, owner, hostname)
  if (nameProblem) problems.unshift(recordProblem('name', nameProblem))
  return problems.length > 0 ? { problems } : { record: { ...values, name } }
}

export function isNormalRecord(record: ZoneRecord, zoneName: string): boolean {
  const { owner, type } = record
  if (!isRecordType(type) || !isOwner(owner) || !isAtOrBelow(owner, zoneName)) return false
  const { values, problems } = withoutName(record, owner, zoneName)
  return (
    problems.length === 0 &&
    !recordTypes[type].ownerProblem?.(owner, zoneName) &&
    isSameRecord({ ...values, owner }, record)
  )
}

function withoutName(input: Omit<RecordInput, 'name'>, owner: string, hostname: string) {
  const { type, ttl } = input
  const problems: RecordProblem[] = []
  const value = normalValue(input, hostname, problems)
  const numbers: Record<NumberMember, number | null> = { priority: null, weight: null, port: null }
  for (const member of recordTypes[type].members) {
    const problem = numberProblem(member, input[member])
    if (problem) problems.push(recordProblem(member, problem))
    else numbers[member] = input[member] ?? null
  }
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > 2_147_483_647)
    problems.push(recordProblem('ttl', { code: 'TTL_RANGE' }))
  const problem = problems.length === 0 && recordTypes[type].contentProblem?.({ owner, value, ...numbers })
  if (problem) problems.push(problem)
  return { values: { type, value, ttl, ...numbers }, problems }
}

function normalValue({ type, value }: Omit<RecordInput, 'name'>, hostname: string, problems: RecordProblem[]): string {
  try {
    return recordTypes[type].normalize(value, baseOf(hostname))
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    problems.push(recordProblem('value', error.described))
    return ''
  }
}

function numberProblem(member: NumberMember, value: number | null | undefined): Described | undefined {
  if (value === null || value === undefined) return { code: 'MISSING' }
  const lowest = member === 'port' ? 1 : 0
  const isValid = Number.isInteger(value) && value >= lowest && value <= 65_535
  return isValid ? undefined : { code: 'NUMBER_RANGE', values: { from: lowest, to: 65_535 } }
}
