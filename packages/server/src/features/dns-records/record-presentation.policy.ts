import type { ZoneRecord } from '../dns-zones/zone-record.ts'

/** The record in the text form of what resolvers answer (infra/public-dns): `10 mail.example.com`, `0 5 5060 sip.example.com`. */
export function presentationOf(record: Omit<ZoneRecord, 'owner'>): string {
  const numbers = [record.priority, record.weight, record.port].filter((number) => number !== null)
  return [...numbers, record.value].join(' ')
}
