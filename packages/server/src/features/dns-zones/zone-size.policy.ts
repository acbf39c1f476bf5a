import { maxDnsRecords, maxZoneBytes } from '@panel/contract/dns-records'
import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'

export interface ZoneSize {
  records: number
  bytes: number
}

export const zoneLimits: Readonly<ZoneSize> = { records: maxDnsRecords, bytes: maxZoneBytes }

/** Overhead per record besides its relative name and value. */
export const bytesPerRecord = 32

export function sizeOf(records: readonly { name: string; value: string }[]): ZoneSize {
  const bytes = records.reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0)
  return { records: records.length, bytes: bytes + records.length * bytesPerRecord }
}

export function sizeAfter(before: ZoneSize, added: ZoneSize, removed: ZoneSize = { records: 0, bytes: 0 }): ZoneSize {
  return {
    records: before.records + added.records - removed.records,
    bytes: before.bytes + added.bytes - removed.bytes
  }
}

/** Returns the exceeded limit. A zone that is already too large may change, but not grow. */
export function growthProblem(
  before: ZoneSize,
  after: ZoneSize,
  limits: ZoneSize = zoneLimits
): Sentence<ZoneLineCode> | undefined {
  if (after.records > limits.records && after.records > before.records)
    return { code: 'ZONE_OF_TOO_MANY', values: { max: limits.records } }
  if (after.bytes > limits.bytes && after.bytes > before.bytes)
    return { code: 'ZONE_TOO_LARGE', values: { max: limits.bytes / 1024 } }
  return undefined
}
