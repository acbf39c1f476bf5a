import type { CpuTime, HostReading, Traffic } from '../../infra/host-metrics/host-metrics.ts'

const rounded = (value: number) => Math.round(value * 100) / 100

/** Percent of the time between two readings; null where they say nothing: counters that began anew, no time between them. */
export function busyPercent(before: CpuTime | undefined, after: CpuTime | undefined): number | null {
  if (!before || !after) return null
  const total = after.total - before.total
  // The kernel lets the time of waiting go back a little.
  const busy = Math.max(0, after.busy - before.busy)
  if (!(total > 0)) return null
  return rounded(Math.min(100, (busy / total) * 100))
}

/** Each core that is there now, in their order. */
export function corePercents(before: HostReading | undefined, after: HostReading): (number | null)[] {
  const numbers = [...after.cores.keys()].sort((a, b) => a - b)
  return numbers.map((number) => busyPercent(before?.cores.get(number), after.cores.get(number)))
}

interface CpuCount {
  atMs: number
  cpuSeconds?: number | undefined
}

/** Percent of one core. A container that was started anew counts from nothing. */
export function containerPercent(before: CpuCount | undefined, after: CpuCount): number | null {
  if (before?.cpuSeconds === undefined || after.cpuSeconds === undefined) return null
  const seconds = (after.atMs - before.atMs) / 1000
  const used = after.cpuSeconds - before.cpuSeconds
  if (!(seconds > 0) || !(used >= 0)) return null
  return rounded((used / seconds) * 100)
}

/** What went through between two readings; of counters that began anew, all that they have. */
export function trafficBetween(before: Traffic | undefined, after: Traffic | undefined): Traffic | undefined {
  if (!before || !after) return undefined
  const isAnew = after.received < before.received || after.sent < before.sent
  return isAnew ? after : { received: after.received - before.received, sent: after.sent - before.sent }
}

interface TrafficCount {
  atMs: number
  network?: Traffic | undefined
}

/** Bytes per second between two readings; undefined where they say nothing. */
export function trafficPerSecond(before: TrafficCount | undefined, after: TrafficCount): Traffic | undefined {
  const between = trafficBetween(before?.network, after.network)
  const seconds = before ? (after.atMs - before.atMs) / 1000 : 0
  if (!between || !(seconds > 0)) return undefined
  return { received: Math.round(between.received / seconds), sent: Math.round(between.sent / seconds) }
}

/** Null where one of them is not known. */
export const shareOf = (part: { used: number; total: number } | undefined): number | null =>
  part && part.total > 0 ? rounded((part.used / part.total) * 100) : null
