import { Id } from '@panel/contract/common'
import type { ProcessInstance } from '@panel/contract/processes'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError, type AdapterErrorKind } from '../../infra/adapter-error.ts'
import type { ContainerState } from '../../infra/container-engine/container-engine.ts'
import type { ContainerReading } from '../../infra/host-metrics/host-metrics.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { readContainers } from '../monitoring/container-reading.service.ts'
import { containerPercent } from '../monitoring/rates.policy.ts'
import { type OnMachine, onMachine } from '../nodes/on-machine.service.ts'
import { findProject } from '../projects/project-access.ts'
import { listInstances } from './process-containers.service.ts'

type Deps = Pick<Dependencies, 'db' | 'hostMetrics' | 'instanceId' | 'logger'> & OnMachine
export type InstancesByProcess = Record<string, ProcessInstance[]>

// CPU usage is the difference to the previous request.
const previous = new WeakMap<Deps['engine'], Map<string, ContainerReading>>()
const forgetAfterMs = 60_000
const awayKinds: readonly AdapterErrorKind[] = ['container-engine-unavailable', 'node-unavailable']

/** The containers of a project's workers by process; without a result if the engine is not responding. */
export const readInstances = workerVerb('processes.readInstances', [Id], readInstancesHere)

async function readInstancesHere(panel: Deps, projectId: string): Promise<{ instances?: InstancesByProcess }> {
  const project = await findProject(panel.db, projectId)
  if (!project) return {}
  try {
    const deps = await onMachine(panel, project.nodeId)
    const found = await listInstances(deps, { [label.project]: projectId })
    const [states, readings] = await Promise.all([
      Promise.all(found.map(({ id }) => deps.engine.findContainer(id))),
      readContainers(deps, found.map(({ id }) => id)) // oxfmt-ignore
    ])
    const before = remember(deps, readings)
    const instances: InstancesByProcess = {}
    for (const state of states) {
      if (!state) continue
      const name = state.labels[label.process]!
      instances[name] = [...(instances[name] ?? []), viewOf(state, before.get(state.id), readings.get(state.id))]
    }
    for (const list of Object.values(instances)) list.sort((a, b) => a.instance - b.instance)
    return { instances }
  } catch (error) {
    if (error instanceof AdapterError && awayKinds.includes(error.kind)) return {}
    throw error
  }
}

function remember({ engine }: Deps, readings: ReadonlyMap<string, ContainerReading>): Map<string, ContainerReading> {
  const before = previous.get(engine) ?? new Map<string, ContainerReading>()
  const now = Math.max(0, ...[...readings.values()].map(({ atMs }) => atMs))
  const recent = [...before].filter(([, { atMs }]) => now - atMs < forgetAfterMs)
  previous.set(engine, new Map([...recent, ...readings]))
  return new Map(recent)
}

const viewOf = (
  state: ContainerState,
  before: ContainerReading | undefined,
  now: ContainerReading | undefined
): ProcessInstance => ({
  instance: Number(state.labels[label.deployment]!.split('-').at(-1)),
  containerId: state.id,
  status: state.status,
  restartCount: state.restartCount,
  // Between two crashes a container has no exit code.
  exitCode: state.status === 'running' || state.status === 'created' ? null : state.exitCode,
  startedAt: Number.isNaN(Date.parse(state.startedAt)) || state.startedAt.startsWith('0001') ? null : state.startedAt,
  cpuPercent: now ? containerPercent(before, now) : null,
  ramUsed: now?.memoryUsed ?? null
})
