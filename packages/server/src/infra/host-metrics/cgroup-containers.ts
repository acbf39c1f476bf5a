import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonicMs } from '../../time/monotonic-clock.ts'
import { createCgroupPlaces } from './cgroup-places.ts'
import type { ContainerReading } from './host-metrics.ts'
import { containerTraffic, parseCount, parseLimit, parseNamed, parseNetworkDevices } from './proc-files.policy.ts'

const readsPerTick = 25

/** Synchronous: these files are in memory, and handing a read to the thread pool costs more. */
export function createContainerReader({ cgroupRoot, procRoot }: { cgroupRoot: string; procRoot: string }) {
  const isVersion2 = () => readText(join(cgroupRoot, 'cgroup.controllers')) !== undefined
  const places = createCgroupPlaces(() => (isVersion2() ? cgroupRoot : join(cgroupRoot, 'memory')))
  const readContainer = (id: string, isVersion2: boolean): ContainerReading | undefined => {
    const place = places.of(id)
    if (place === undefined) return undefined
    const of = (controller: string, file: string) =>
      readText(isVersion2 ? join(cgroupRoot, place, file) : join(cgroupRoot, controller, place, file))
    const pid = parseCount(of('memory', 'cgroup.procs')?.split('\n', 1)[0])
    if (pid === undefined) return undefined
    const used = parseCount(of('memory', isVersion2 ? 'memory.current' : 'memory.usage_in_bytes'))
    const cache = parseNamed(of('memory', 'memory.stat'), isVersion2 ? 'inactive_file' : 'total_inactive_file') ?? 0
    const cpu = isVersion2
      ? scaled(parseNamed(of('', 'cpu.stat'), 'usage_usec'), 1e6)
      : scaled(parseCount(of('cpuacct', 'cpuacct.usage')), 1e9)
    const devices = readText(join(procRoot, String(pid), 'net/dev'))
    return {
      atMs: monotonicMs(),
      cpuSeconds: cpu,
      memoryUsed: used === undefined ? undefined : Math.max(0, used - cache),
      memoryLimit: parseLimit(of('memory', isVersion2 ? 'memory.max' : 'memory.limit_in_bytes')),
      network: devices === undefined ? undefined : containerTraffic(parseNetworkDevices(devices))
    }
  }
  return async (ids: readonly string[]): Promise<Map<string, ContainerReading>> => {
    await places.check(ids)
    const version2 = isVersion2()
    const readings = new Map<string, ContainerReading>()
    for (const [index, id] of ids.entries()) {
      if (index % readsPerTick === readsPerTick - 1) await nextTurn()
      const reading = readContainer(id, version2)
      if (reading) readings.set(id, reading)
      else places.markMissing(id)
    }
    return readings
  }
}

const scaled = (value: number | undefined, by: number) => (value === undefined ? undefined : value / by)

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
