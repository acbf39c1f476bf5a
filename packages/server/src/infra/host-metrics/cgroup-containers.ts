import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ContainerReading } from './host-metrics.ts'
import { containerTraffic, parseCount, parseLimit, parseNamed, parseNetworkDevices } from './proc-files.policy.ts'

/** As engines name the cgroup of a container: cgroupfs, or a scope of systemd. */
const containerName = /^(?:[a-z]+-)?([0-9a-f]{64})(?:\.scope)?$/
const maxDepth = 7
/** A walk for one that is not there finds it only later; it is not made for each reading. */
const walkAgainAfterMs = 4_000
/** So that nothing else of the process waits for all of them. */
const atOnce = 25

/** Reads containers from the files of cgroups of version 1 and 2. These lie in memory: to read one takes less than to hand it to a thread. */
export function createContainerReader({ cgroupRoot, procRoot }: { cgroupRoot: string; procRoot: string }) {
  let places = new Map<string, string>()
  let walkedAt = -Infinity
  const readContainer = (id: string, isVersion2: boolean): ContainerReading | undefined => {
    const place = places.get(id)
    if (place === undefined) return undefined
    const of = (controller: string, file: string) =>
      readText(isVersion2 ? join(cgroupRoot, place, file) : join(cgroupRoot, controller, place, file))
    const pid = parseCount(of('memory', 'cgroup.procs')?.split('\n', 1)[0])
    // It ends, or has no process yet.
    if (pid === undefined) return undefined
    const used = parseCount(of('memory', isVersion2 ? 'memory.current' : 'memory.usage_in_bytes'))
    const cache = parseNamed(of('memory', 'memory.stat'), isVersion2 ? 'inactive_file' : 'total_inactive_file') ?? 0
    const cpu = isVersion2
      ? scaled(parseNamed(of('', 'cpu.stat'), 'usage_usec'), 1e6)
      : scaled(parseCount(of('cpuacct', 'cpuacct.usage')), 1e9)
    const devices = readText(join(procRoot, String(pid), 'net/dev'))
    return {
      atMs: performance.now(),
      cpuSeconds: cpu,
      memoryUsed: used === undefined ? undefined : Math.max(0, used - cache),
      memoryLimit: parseLimit(of('memory', isVersion2 ? 'memory.max' : 'memory.limit_in_bytes')),
      network: devices === undefined ? undefined : containerTraffic(parseNetworkDevices(devices))
    }
  }
  return async (ids: readonly string[]): Promise<Map<string, ContainerReading>> => {
    const isVersion2 = readText(join(cgroupRoot, 'cgroup.controllers')) !== undefined
    const isMissing = ids.some((id) => !places.has(id))
    if (isMissing && performance.now() - walkedAt > walkAgainAfterMs) {
      places = findContainers(isVersion2 ? cgroupRoot : join(cgroupRoot, 'memory'))
      walkedAt = performance.now()
    }
    const readings = new Map<string, ContainerReading>()
    for (const [index, id] of ids.entries()) {
      if (index % atOnce === atOnce - 1) await nextTurn()
      const reading = readContainer(id, isVersion2)
      if (reading) readings.set(id, reading)
      else places.delete(id)
    }
    return readings
  }
}

const scaled = (value: number | undefined, by: number) => (value === undefined ? undefined : value / by)

/** Undefined where it is gone or may not be read. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The cgroup of each container, from the root on; what is below one is its own. */
function findContainers(root: string): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (path: string, depth: number) => {
    let entries
    try {
      entries = readdirSync(join(root, path), { withFileTypes: true })
    } catch {
      return
    }
    for (const entry of entries) {
      if (!entry.isDirectory()) continue
      const id = containerName.exec(entry.name)?.[1]
      if (id !== undefined) found.set(id, join(path, entry.name))
      else if (depth < maxDepth) walk(join(path, entry.name), depth + 1)
    }
  }
  walk('', 0)
  return found
}
