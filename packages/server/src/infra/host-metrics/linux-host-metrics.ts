import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { monotonicMs } from '../../time/monotonic-clock.ts'
import { createContainerReader } from './cgroup-containers.ts'
import type { HostMetrics, HostReading } from './host-metrics.ts'
import {
  parseCount,
  parseDefaultInterfaces,
  parseLimit,
  parseLoadAverage,
  parseMeminfo,
  parseNamed,
  parseNetworkDevices,
  parseStat,
  parseUptime,
  sumTraffic
} from './proc-files.policy.ts'

interface Options {
  procRoot?: string
  cgroupRoot?: string
}

export function createLinuxHostMetrics({
  procRoot = '/proc',
  cgroupRoot = '/sys/fs/cgroup'
}: Options = {}): HostMetrics {
  const proc = (name: string) => read(join(procRoot, name))
  return {
    async readHost(directory) {
      const [stat, load, uptime, boot, devices, route, ipv6Route, memory, disk] = await Promise.all([
        proc('stat'),
        proc('loadavg'),
        proc('uptime'),
        proc('sys/kernel/random/boot_id'),
        proc('net/dev'),
        proc('net/route'),
        proc('net/ipv6_route'),
        readMemory(procRoot, cgroupRoot),
        readDisk(directory)
      ])
      return {
        atMs: monotonicMs(),
        bootId: boot.trim() || undefined,
        ...parseStat(stat),
        memory,
        disk,
        loadAverage: parseLoadAverage(load),
        uptimeSeconds: parseUptime(uptime),
        network: sumTraffic(parseNetworkDevices(devices), parseDefaultInterfaces(route, ipv6Route))
      }
    },
    readContainers: createContainerReader({ cgroupRoot, procRoot })
  }
}

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

/** Memory of the machine, or of the container that this process runs in: then the cgroup's limit counts. */
async function readMemory(procRoot: string, cgroupRoot: string): Promise<HostReading['memory']> {
  const memory = parseMeminfo(await read(join(procRoot, 'meminfo')))
  const [limit2, limit1] = await Promise.all(
    ['memory.max', 'memory/memory.limit_in_bytes'].map((name) => read(join(cgroupRoot, name)))
  )
  const limit = parseLimit(limit2) ?? parseLimit(limit1)
  if (limit === undefined || (memory && limit >= memory.total)) return memory
  const [used2, used1, stat2, stat1] = await Promise.all(
    ['memory.current', 'memory/memory.usage_in_bytes', 'memory.stat', 'memory/memory.stat'].map((name) =>
      read(join(cgroupRoot, name))
    )
  )
  const used = parseCount(used2) ?? parseCount(used1)
  if (used === undefined) return memory
  const cache = parseNamed(stat2, 'inactive_file') ?? parseNamed(stat1, 'total_inactive_file') ?? 0
  return { used: Math.max(0, used - cache), total: limit }
}

async function readDisk(directory: string): Promise<HostReading['disk']> {
  try {
    const { blocks, bfree, bsize } = await statfs(directory)
    return { used: (blocks - bfree) * bsize, total: blocks * bsize }
  } catch {
    return undefined
  }
}
