import { type DnsRecordType, dnsRecordTypes } from '@panel/contract/dns-records'
import { ownerOf } from '../dns-zones/record-name.policy.ts'

interface Listed {
  name: string
  type: DnsRecordType
  priority: number | null
  value: string
  id: string
}

/** A domain's records as people read them: the apex first, name by name as DNS sorts them, name servers before other types. */
export function inListOrder<R extends Listed>(records: readonly R[], hostname: string): R[] {
  return records
    .map((record) => ({ record, key: keyOf(record, hostname) }))
    .sort((one, other) => compare(one.key, other.key))
    .map(({ record }) => record)
}

/** The one that proves the ownership is the only one that is stored under its full name. */
export function isVerificationRecord({ name }: Pick<Listed, 'name'>, hostname: string): boolean {
  return ownerOf(name, hostname) === name
}

function keyOf({ name, type, priority, value, id }: Listed, hostname: string): (string | number)[] {
  const isVerification = isVerificationRecord({ name }, hostname)
  const labels = name === '@' ? '' : name.split('.').reverse().join('\0')
  return [Number(isVerification), labels, typeOrder.indexOf(type), priority ?? -1, value, id]
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const index = one.findIndex((part, at) => part !== other[at])
  if (index === -1) return 0
  return one[index]! < other[index]! ? -1 : 1
}

const typeOrder = ['NS', ...dnsRecordTypes.filter((type) => type !== 'NS')]
