import type { ZoneRecord } from '../dns-zones/zone-record.ts'
import { isAtOrBelow } from '../domains/hostname.policy.ts'
import { isSameRecord } from './record-conflict.policy.ts'
import { isHostOwner, isOwner, ownerOf, relativeName } from './record-name.policy.ts'
import { type NumberMember, typeRules, ValueProblem } from './record-value.policy.ts'

// The three belong together for whoever writes records.
export { conflictOf } from './record-conflict.policy.ts'
export { ownerOf } from './record-name.policy.ts'

/** A record of a domain; `name` is relative to it: `@`, `www`, `*.dev`. */
export type RecordValues = Omit<ZoneRecord, 'owner'> & { name: string }

export type RecordInput = Pick<RecordValues, 'type' | 'name' | 'value' | 'ttl'> &
  Partial<Pick<RecordValues, NumberMember>>

export interface RecordProblem {
  path: string
  message: string
}

/** Normal form, or what is wrong with it by member. A normal form is accepted again, unchanged. */
export function normalizeRecord(
  input: RecordInput,
  hostname: string
): { record: RecordValues } | { problems: RecordProblem[] } {
  const named = relativeName(input.name, hostname)
  const name = 'name' in named ? named.name : '@'
  const owner = ownerOf(name, hostname)
  const nameProblem = 'problem' in named ? named.problem : ownerProblem(input.type, owner, hostname)
  const { values, problems } = withoutName(input, owner, hostname)
  if (nameProblem) problems.unshift({ path: 'name', message: nameProblem })
  return problems.length > 0 ? { problems } : { record: { ...values, name } }
}

/** Whether a record can stand in the zone as it is: what normalizeRecord gives for it is itself. */
export function isNormalRecord(record: ZoneRecord, zoneName: string): boolean {
  const { owner, type } = record
  if (!Object.hasOwn(typeRules, type) || !isOwner(owner) || !isAtOrBelow(owner, zoneName)) return false
  const { values, problems } = withoutName(record, owner, zoneName)
  return problems.length === 0 && !ownerProblem(type, owner, zoneName) && isSameRecord({ ...values, owner }, record)
}

function withoutName(input: Omit<RecordInput, 'name'>, owner: string, hostname: string) {
  const { type, ttl } = input
  const problems: RecordProblem[] = []
  const value = normalValue(input, hostname, problems)
  const numbers: Record<NumberMember, number | null> = { priority: null, weight: null, port: null }
  for (const member of typeRules[type].members) {
    const problem = numberProblem(member, input[member])
    if (problem) problems.push({ path: member, message: problem })
    else numbers[member] = input[member] ?? null
  }
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > 2_147_483_647)
    problems.push({ path: 'ttl', message: 'must be a whole number of seconds from 0 to 2147483647' })
  if (type === 'MX' && value === '.' && numbers.priority !== 0)
    problems.push({ path: 'priority', message: 'must be 0 with . as the host: no mail (RFC 7505)' })
  if (type === 'CNAME' && value === owner)
    problems.push({ path: 'value', message: 'must not be the record’s own name' })
  return { values: { type, value, ttl, ...numbers }, problems }
}

function normalValue({ type, value }: Omit<RecordInput, 'name'>, hostname: string, problems: RecordProblem[]): string {
  try {
    return typeRules[type].normalize(value, hostname)
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    problems.push({ path: 'value', message: error.message })
    return ''
  }
}

function ownerProblem(type: RecordInput['type'], owner: string, hostname: string): string | undefined {
  if (typeRules[type].isHostOwned && !isHostOwner(owner))
    return `of ${type} records must be a host name: letters, digits and inner hyphens, no underscore`
  if (type === 'NS' && owner.startsWith('*.')) return 'of NS records cannot be a wildcard'
  // At the wildcard of a wildcard domain it harms nothing: that is no apex.
  if (type === 'CNAME' && owner === hostname && !hostname.startsWith('*.'))
    return 'must not be @: a CNAME is not allowed at the apex'
  return undefined
}

function numberProblem(member: NumberMember, value: number | null | undefined): string | undefined {
  if (value === null || value === undefined) return 'is required'
  const lowest = member === 'port' ? 1 : 0
  const isValid = Number.isInteger(value) && value >= lowest && value <= 65_535
  return isValid ? undefined : `must be a whole number from ${lowest} to 65535`
}
