import type { CountersOfContainers, HostCounters } from '../../db/schema/monitoring.ts'
import type { ContainerReading, HostReading, Traffic } from '../../infra/host-metrics/host-metrics.ts'
import { busyPercent, containerPercent, trafficBetween, trafficPerSecond } from './rates.policy.ts'

/** A reading before this says nothing of how it is now: rates are not known then. What has been counted is. */
const maxMinuteMs = 5 * 60_000

/** Of the same run of the machine, and lately. */
const speaksOfNow = (
  before: { bootId?: string | undefined; atMs: number },
  now: { bootId: string | undefined; atMs: number }
) => before.bootId === now.bootId && now.atMs - before.atMs <= maxMinuteMs

/** Somebody has just recorded a later reading of this run of the machine. */
export const isLate = (
  before: { bootId?: string | undefined; atMs: number } | undefined,
  now: { bootId: string | undefined; atMs: number }
): boolean =>
  before !== undefined &&
  before.bootId === now.bootId &&
  before.atMs >= now.atMs &&
  // A machine that was set back to an earlier state of it has not.
  before.atMs - now.atMs < maxMinuteMs

export const countersOfHost = ({ bootId, atMs, cpu, network }: HostReading): HostCounters => ({
  bootId,
  atMs,
  cpu,
  network
})

/** What a machine did since the last minute that was recorded. */
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
 * What containers did since then, and the counters to go on from. Bytes are never lost: of one that was not there then, or has begun anew, all counts.
 * Of one that could not be read just now, what was known stays for the next time.
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
