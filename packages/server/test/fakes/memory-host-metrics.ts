import { monotonicMs } from '../../src/time/monotonic-clock.ts'
import type { ContainerReading, HostMetrics, HostReading } from '../../src/infra/host-metrics/host-metrics.ts'

export interface MemoryHostMetrics extends HostMetrics {
  host: Omit<HostReading, 'atMs'>
  readonly containers: Map<string, Omit<ContainerReading, 'atMs'>>
  /** Number of readings. */
  readonly reads: { host: number; containers: number }
}

/** A machine with half of one core busy; constant until a test changes it. */
export function createMemoryHostMetrics(): MemoryHostMetrics {
  const reads = { host: 0, containers: 0 }
  let time = 0
  const metrics: MemoryHostMetrics = {
    host: {
      bootId: 'boot',
      cpu: undefined,
      cores: new Map([[0, { busy: 0, total: 0 }]]),
      memory: { used: 2 ** 30, total: 2 ** 32 },
      disk: { used: 10 * 2 ** 30, total: 100 * 2 ** 30 },
      loadAverage: [0.5, 0.4, 0.3],
      uptimeSeconds: 1000,
      network: { received: 10, sent: 20 }
    },
    containers: new Map(),
    reads,
    async readHost() {
      reads.host++
      time += 100
      const cpu = metrics.host.cpu ?? { busy: time / 2, total: time }
      return { ...metrics.host, cpu, atMs: monotonicMs() }
    },
    async readContainers(ids) {
      reads.containers++
      const found = ids.flatMap((id) => {
        const container = metrics.containers.get(id)
        return container ? [[id, { ...container, atMs: monotonicMs() }] as const] : []
      })
      return new Map(found)
    }
  }
  return metrics
}
