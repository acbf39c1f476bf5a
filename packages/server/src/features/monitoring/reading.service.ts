import { Id } from '@panel/contract/common'
import type { ContainerMetric, ServerMetrics } from '@panel/contract/monitoring'
import type { Dependencies } from '../../dependencies.ts'
import type { ContainerReading, HostReading } from '../../infra/host-metrics/host-metrics.ts'
import { monotonicMs } from '../../time/monotonic-clock.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { type OnMachine, onEachMachine } from '../nodes/on-machine.service.ts'
import { readContainers } from './container-reading.service.ts'
import { listRunning } from './running-containers.service.ts'
import { busyPercent, containerPercent, corePercents } from './rates.policy.ts'
import { createSampler, type Pair } from './sampler.ts'
import { thresholdsOf } from './thresholds.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'hostMetrics' | 'instanceId' | 'logger' | 'now'> & OnMachine
type Containers = { atMs: number; byId: ReadonlyMap<string, ContainerReading> }

const hosts = new WeakMap<Deps['hostMetrics'], () => Promise<Pair<HostReading>>>()
/** Of each machine. */
const containers = new WeakMap<Deps['engine'], () => Promise<Pair<Containers>>>()

function hostSampler({ config, hostMetrics }: Pick<Deps, 'config' | 'hostMetrics'>) {
  const known = hosts.get(hostMetrics) ?? createSampler(() => hostMetrics.readHost(config.DATA_DIR))
  hosts.set(hostMetrics, known)
  return known
}

function containerSampler(there: Deps) {
  const known =
    containers.get(there.engine) ??
    createSampler(async () => {
      const ids = (await listRunning(there)).map(({ containerId }) => containerId)
      return { byId: await readContainers(there, ids), atMs: monotonicMs() }
    })
  containers.set(there.engine, known)
  return known
}

function serverView(deps: Pick<Deps, 'config' | 'now'>, { before, now }: Pair<HostReading>): ServerMetrics {
  return {
    cpuPercent: busyPercent(before?.cpu, now.cpu),
    cpuPerCore: corePercents(before, now),
    cpuCoreCount: now.cores.size,
    loadAverage: [...(now.loadAverage ?? [])],
    ramUsed: now.memory?.used ?? null,
    ramTotal: now.memory?.total ?? null,
    diskUsed: now.disk?.used ?? null,
    diskTotal: now.disk?.total ?? null,
    uptimeSeconds: now.uptimeSeconds ?? null,
    networkReceived: now.network?.received ?? null,
    networkSent: now.network?.sent ?? null,
    alertAbove: thresholdsOf(deps),
    timestamp: deps.now().toISOString()
  }
}

/** Of a machine that is slow to answer there are none. */
async function containersNow(deps: Deps, userId?: string): Promise<OwnedMetric[]> {
  const limited = (there: Deps) =>
    there === deps ? containersThere(deps, userId) : withTimeLimit(containersThere(there, userId), otherMachineMs)
  return (await onEachMachine(deps, limited)).flat()
}

async function containersThere(deps: Deps, userId?: string): Promise<OwnedMetric[]> {
  const [{ before, now }, rows] = await Promise.all([containerSampler(deps)(), listRunning(deps, userId)])
  return rows.flatMap(({ userId: ownerId, ...row }) => {
    const reading = now.byId.get(row.containerId)
    if (!reading) return []
    return [
      {
        ownerId,
        metric: {
          ...row,
          cpuPercent: containerPercent(before?.byId.get(row.containerId), reading),
          ramUsed: reading.memoryUsed ?? null,
          ramLimit: reading.memoryLimit ?? null,
          networkReceived: reading.network?.received ?? null,
          networkSent: reading.network?.sent ?? null
        }
      }
    ]
  })
}

export interface OwnedMetric {
  ownerId: string
  metric: ContainerMetric
}

const timeoutMs = 15_000
const otherMachineMs = 5_000

export const serverMetrics = workerVerb(
  'monitoring.server',
  [],
  async (deps: Deps) => serverView(deps, await hostSampler(deps)()),
  { timeoutMs }
)

export const containerMetrics = workerVerb('monitoring.containers', [Id.optional()], containersNow, {
  timeoutMs
})
