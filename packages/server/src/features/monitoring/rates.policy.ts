import type { CpuTime, HostReading, Traffic } from '../../infra/host-metrics/host-metrics.ts'

const rounded = (value: number) => Math.round(value * 100) / 100

/** Busy percentage between two readings; null if counters were reset or no time passed. */
export function busyPercent(before: CpuTime | undefined, after: CpuTime | undefined): number | null {
  if (!before || !after) return null
  const total = after.total - before.total
  // iowait can decrease slightly (proc(5)).
  const busy = Math.max(0, after.busy - before.busy)
  if (!(total > 0)) return null
  return rounded(Math.min(100, (busy / total) * 100))
}

/** Per online core, in order. */
export function corePercents(before: HostReading | undefined, after: HostReading): (number | null)[] {
  const numbers = [...after.cores.keys()].sort((a, b) => a - b)
  return numbers.map((number) => busyPercent(before?.cores.get(number), after.cores.get(number)))
}

interface CpuCount {
  atMs: number
  cpuSeconds?: number | undefined
}

/** Percent of one core; null after a restart, which resets the counter. */
export function containerPercent(before: CpuCount | undefined, after: CpuCount): number | null {
  if (before?.cpuSeconds === undefined || after.cpuSeconds === undefined) return null
  const seconds = (after.atMs - before.atMs) / 1000
  const used = after.cpuSeconds - before.cpuSeconds
  if (!(seconds > 0) || !(used >= 0)) return null
  return rounded((used / seconds) * 100)
}

/** Bytes between two readings; after a counter reset, the whole counter. */
export function trafficBetween(before: Traffic | undefined, after: Traffic | undefined): Traffic | undefined {
  if (!before || !after) return undefined
  const wasReset = after.received < before.received || after.sent < before.sent
  return wasReset ? after : { received: after.received - before.received, sent: after.sent - before.sent }
}

interface TrafficCount {
  atMs: number
  network?: Traffic | undefined
}

/** Bytes per second between two readings; undefined without two readings. */
export function trafficPerSecond(before: TrafficCount | undefined, after: TrafficCount): Traffic | undefined {
  const between = trafficBetween(before?.network, after.network)
  const seconds = before ? (after.atMs - before.atMs) / 1000 : 0
  if (!between || !(seconds > 0)) return undefined
  return { received: Math.round(between.received / seconds), sent: Math.round(between.sent / seconds) }
}

/** Percentage of the total; null if unknown. */
export const shareOf = (part: { used: number; total: number } | undefined): number | null =>
  part && part.total > 0 ? rounded((part.used / part.total) * 100) : null
