import type { DnsRecordType } from '@panel/contract/dns-records'
import type { ZoneRecord } from './zone-record.types.ts'
import {
  conflictBeside,
  contentOf,
  isDelegation,
  type RecordConflict,
  wireBytesAtMost
} from './record-conflict.policy.ts'
import { sortedNames } from './sorted-names.policy.ts'

/** Index of zone records by name, so that adding thousands does not compare each with all others. */
export interface ZoneIndex<R extends ZoneRecord> {
  add(records: readonly R[]): void
  remove(records: readonly R[]): void
  at(owner: string): R[]
  conflictOf(record: ZoneRecord): RecordConflict | undefined
}

interface RecordSet<R> {
  byContent: Map<string, R>
  wireBytes: number
}

export function indexZone<R extends ZoneRecord>(records: readonly R[], zoneName: string): ZoneIndex<R> {
  const byOwner = new Map<string, Map<DnsRecordType, RecordSet<R>>>()
  const delegated = sortedNames()
  // Names with records other than addresses, which are not allowed below a delegation.
  const nonAddressOwners = sortedNames()

  const index: ZoneIndex<R> = {
    add(added) {
      for (const record of added) {
        const { owner, type } = record
        const sets = byOwner.get(owner) ?? new Map<DnsRecordType, RecordSet<R>>()
        const set = sets.get(type) ?? { byContent: new Map<string, R>(), wireBytes: 0 }
        const content = contentOf(record)
        if (!set.byContent.has(content)) set.wireBytes += wireBytesAtMost(record)
        set.byContent.set(content, record)
        byOwner.set(owner, sets.set(type, set))
        if (isDelegation(record, zoneName)) delegated.add(owner)
        if (!isAddress(type)) nonAddressOwners.add(owner)
      }
    },
    remove(removed) {
      for (const record of removed) {
        const { owner, type } = record
        const sets = byOwner.get(owner)
        const set = sets?.get(type)
        if (!sets || !set?.byContent.delete(contentOf(record))) continue
        set.wireBytes -= wireBytesAtMost(record)
        if (set.byContent.size > 0) continue
        sets.delete(type)
        if (type === 'NS') delegated.remove(owner)
        if ([...sets.keys()].every(isAddress)) nonAddressOwners.remove(owner)
      }
    },
    at: (owner) => [...(byOwner.get(owner)?.values() ?? [])].flatMap(({ byContent }) => [...byContent.values()]),
    conflictOf(record) {
      const set = byOwner.get(record.owner)?.get(record.type)
      const sameSet = {
        count: set?.byContent.size ?? 0,
        bytes: set?.wireBytes ?? 0,
        hasCandidate: set?.byContent.has(contentOf(record)) ?? false
      }
      return conflictBeside(record, sameSet, relatedTo(record), zoneName)
    }
  }

  function relatedTo(record: ZoneRecord): R[] {
    const here = [...(byOwner.get(record.owner)?.values() ?? [])]
    const above = delegated.above(record.owner)
    const below = isDelegation(record, zoneName) ? nonAddressOwners.firstBelow(record.owner) : undefined
    const there = below === undefined ? [] : [...byOwner.get(below)!].filter(([type]) => !isAddress(type))
    const sets = [
      ...here,
      ...(above === undefined ? [] : [byOwner.get(above)!.get('NS')!]),
      ...there.map(([, set]) => set)
    ]
    return sets.map(({ byContent }) => byContent.values().next().value!)
  }

  index.add(records)
  return index
}

const isAddress = (type: DnsRecordType): boolean => type === 'A' || type === 'AAAA'
