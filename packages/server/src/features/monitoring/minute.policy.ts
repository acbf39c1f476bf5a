import type { CountersOfContainers, HostCounters } from '../../db/schema/monitoring.ts'
import type { ContainerReading, HostReading, Traffic } from '../../infra/host-metrics/host-metrics.ts'
import { busyPercent, containerPercent, trafficBetween, trafficPerSecond } from './rates.policy.ts'

/** Older readings cannot be used for rates. Byte counts are still valid. */
const maxMinuteMs = 5 * 60_000

const speaksOfNow = (
  before: { bootId?: string | undefined; atMs: number },
  now: { bootId: string | undefined; atMs: number }
) => before.bootId === now.bootId && now.atMs - before.atMs <= maxMinuteMs

/** A later reading of the same boot has already been recorded. */
export const isLate = (
  before: { bootId?: string | undefined; atMs: number } | undefined,
  now: { bootId: string | undefined; atMs: number }
): boolean =>
  before !== undefined &&
  before.bootId === now.bootId &&
  before.atMs >= now.atMs &&
  // Otherwise the machine was restored to an earlier snapshot.
  before.atMs - now.atMs < maxMinuteMs

export const countersOfHost = ({ bootId, atMs, cpu, network }: HostReading): HostCounters => ({
  bootId,
  atMs,
  cpu,
  network
})

export function hostMinute(before: HostCounters | undefined, now: HostReading) {
  const last = before && speaksOfNow(before, now) ? before : undefined
  const traffic = trafficPerSecond(last, now)
  return {
    cpuPercent: busyPercent(last?.cpu, now.cpu),
    networkReceived: traffic?.received ?? null,
    networkSent: traffic?.sent ?? null
  }
}

interface Read {
  bootId: string | undefined
  atMs: number
  byId: ReadonlyMap<string, ContainerReading>
}

/**
 * What containers did since the last recorded minute, and the new counters. No bytes are lost: new and restarted
 * containers count from zero, and unreadable ones keep their old counters for the next minute.
 */
export function containersMinute(before: CountersOfContainers | undefined, now: Read, ids: readonly string[]) {
  const isSameRun = before !== undefined && before.bootId === now.bootId
  const known = (id: string) => (isSameRun ? before.byId[id] : undefined)
  const byId: CountersOfContainers['byId'] = {}
  const used = new Map<string, { cpuPercent: number | null; traffic: Traffic | undefined }>()
  for (const id of ids) {
    const last = known(id)
    const reading = now.byId.get(id)
    if (reading) {
      const { atMs, cpuSeconds, network } = reading
      byId[id] = { atMs, cpuSeconds, network: network ?? last?.network }
      const isRecent = last !== undefined && atMs - last.atMs <= maxMinuteMs
      used.set(id, {
        cpuPercent: isRecent ? containerPercent(last, reading) : null,
        traffic: before && !last ? network : trafficBetween(last?.network, network)
      })
    } else if (last) byId[id] = last
  }
  return { used, counters: { bootId: now.bootId, atMs: now.atMs, byId } satisfies CountersOfContainers }
}
