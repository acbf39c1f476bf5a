import type { CpuTime, Traffic } from './host-metrics.ts'

const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined

export function parseStat(text: string): { cpu: CpuTime | undefined; cores: Map<number, CpuTime> } {
  const cores = new Map<number, CpuTime>()
  let cpu: CpuTime | undefined
  for (const [, number, times] of text.matchAll(/^cpu(\d*) +([\d ]+)$/gm)) {
    // guest and guest_nice are already included in user and nice. Kernels before 2.6.11 have fewer columns.
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, ...others] = times!.trim().split(/ +/).map(Number)
    const busy = user + nice + system + others.slice(0, 3).reduce((sum, each) => sum + each, 0)
    const time = { busy, total: busy + idle + ioWait }
    if (number === '') cpu = time
    else cores.set(Number(number), time)
  }
  return { cpu, cores }
}

/** Parses /proc/meminfo, in bytes. Kernels before 3.14 have no MemAvailable. */
export function parseMeminfo(text: string): { used: number; total: number } | undefined {
  const read = (name: string) => {
    const kilobytes = whole(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1])
    return kilobytes === undefined ? undefined : kilobytes * 1024
  }
  const total = read('MemTotal')
  const free = read('MemFree')
  const available =
    read('MemAvailable') ?? (free === undefined ? undefined : free + (read('Buffers') ?? 0) + (read('Cached') ?? 0))
  if (total === undefined || available === undefined) return undefined
  return { used: Math.max(0, total - available), total }
}

export function parseLoadAverage(text: string): number[] | undefined {
  const found = text.trim().split(/\s+/).slice(0, 3).map(Number)
  return found.length === 3 && found.every(Number.isFinite) ? found : undefined
}

export function parseUptime(text: string): number | undefined {
  const seconds = Number.parseFloat(text)
  return Number.isFinite(seconds) ? seconds : undefined
}

/** Parses /proc/net/dev. Old kernels write no space after the colon. */
export function parseNetworkDevices(text: string): Map<string, Traffic> {
  const devices = new Map<string, Traffic>()
  for (const [, name, counters] of text.matchAll(/^ *([^\s:]+): *([\d ]+)$/gm)) {
    const numbers = counters!.trim().split(/ +/).map(Number)
    if (numbers.length >= 9) devices.set(name!, { received: numbers[0]!, sent: numbers[8]! })
  }
  return devices
}

export function parseDefaultInterfaces(route: string, ipv6Route: string): Set<string> {
  const lines = (text: string) => text.split('\n').map((line) => line.trim().split(/\s+/))
  const ipv4 = lines(route).filter(([, to, , , , , , mask]) => to === '00000000' && mask === '00000000')
  const ipv6 = lines(ipv6Route).filter(([to, length]) => to === '0'.repeat(32) && length === '00')
  const names = [...ipv4.map(([name]) => name), ...ipv6.map((columns) => columns[9])]
  return new Set(names.filter((name): name is string => name !== undefined && name !== 'lo'))
}

const ofContainers = /^(lo|veth|br-|docker|virbr|cni|flannel|ifb|dummy|pn)/

/** Traffic of the machine: of its default routes, or without one of all interfaces except those of containers. */
export function sumTraffic(devices: ReadonlyMap<string, Traffic>, defaults: ReadonlySet<string>): Traffic | undefined {
  const routed = [...devices].filter(([name]) => defaults.has(name))
  return sum(routed.length > 0 ? routed : [...devices].filter(([name]) => !ofContainers.test(name)))
}

export const containerTraffic = (devices: ReadonlyMap<string, Traffic>): Traffic | undefined =>
  sum([...devices].filter(([name]) => name !== 'lo'))

function sum(devices: readonly (readonly [string, Traffic])[]): Traffic | undefined {
  if (devices.length === 0) return undefined
  return devices.reduce(
    (all, [, { received, sent }]) => ({ received: all.received + received, sent: all.sent + sent }),
    { received: 0, sent: 0 }
  )
}

export const parseCount = (text: string | undefined): number | undefined => whole(text?.trim())

export function parseNamed(text: string | undefined, name: string): number | undefined {
  return whole(new RegExp(`^${name} (\\d+)$`, 'm').exec(text ?? '')?.[1])
}

/** No limit is `max`, or in v1 a huge number. */
export function parseLimit(text: string | undefined): number | undefined {
  const limit = parseCount(text)
  return limit !== undefined && limit < 2 ** 60 ? limit : undefined
}
