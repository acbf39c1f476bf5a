import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { applyProjectRoutes } from '../domains/routing.service.ts'
import { proxyEndpoints } from '../domains/slot-endpoint.service.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { catchUpEdges } from '../nodes/edges.service.ts'
import { type OnMachine, onMachine } from '../nodes/on-machine.service.ts'
import { deleteSlotsOf, listSlotsOf, type SlotRow } from './container-slots.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'instanceId' | 'jobs' | 'logger' | 'network' | 'now' | 'proxy'> &
  OnMachine

const drainPollMs = 250
export const stopGraceSeconds = 10

// Per process: a second process may work on the same container, because every step is idempotent.
const retiring = new Map<string, Promise<void>>()

/** Drains and removes a container that is no longer live. Idempotent; a concurrent call joins the running one. */
export function retireContainer(deps: Deps, deploymentId: string, signal: AbortSignal): Promise<void> {
  const running = retiring.get(deploymentId)
  if (running) return running
  const started = retire(deps, deploymentId, signal).finally(() => retiring.delete(deploymentId))
  retiring.set(deploymentId, started)
  return started
}

async function retire(deps: Deps, deploymentId: string, signal: AbortSignal): Promise<void> {
  const slots = await listSlotsOf(deps.db, deploymentId)
  const [slot] = slots
  if (!slot || slot.retiredAt === null) return
  await applyProjectRoutes(deps, slot.projectId)
  const edges = await catchUpEdges(deps)
  const deadline = slot.retiredAt.getTime() + deps.config.DEPLOY_DRAIN_SECONDS * 1000
  await Promise.all(slots.map((each) => drain(deps, each, [deps.proxy, ...edges], deadline, signal)))
  await removeSlotContainer(deps, slot)
  // Cleanups until now found its image in use.
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'images.clean', {}, { key: 'next' }))
}

/** Without draining: for all containers of a deployment that was never live or whose project is gone. */
export async function removeSlotContainer(
  deps: Pick<Deps, 'db' | 'instanceId'> & OnMachine,
  slot: Pick<SlotRow, 'deploymentId' | 'nodeId'>
): Promise<void> {
  const { engine } = await onMachine(deps, slot.nodeId)
  const containers = await engine.listContainers({
    [label.instance]: deps.instanceId,
    [label.deployment]: slot.deploymentId
  })
  for (const container of containers) {
    await engine.stopContainer(container.id, stopGraceSeconds)
    await engine.removeContainer(container.id)
  }
  await deleteSlotsOf(deps.db, slot.deploymentId)
}

async function drain(
  deps: Deps,
  slot: SlotRow,
  proxies: readonly Pick<Dependencies['proxy'], 'connectionCount'>[],
  deadline: number,
  signal: AbortSignal
): Promise<void> {
  const endpoint = await proxyEndpoints(deps)(slot)
  if (!endpoint) return
  const { address, port } = endpoint
  // At its own address a container may have other ports; another machine has those of all its containers.
  const only = slot.nodeId === deps.instanceId ? undefined : port
  // A request routed just before the switch may not have opened its connection yet.
  await sleep(drainPollMs, undefined, { signal })
  const isUsed = async () => {
    const counts = proxies.map((proxy) => proxy.connectionCount(address, only))
    return (await Promise.allSettled(counts)).some((count) => count.status === 'fulfilled' && count.value > 0)
  }
  while (deps.now().getTime() < deadline && (await isUsed())) await sleep(drainPollMs, undefined, { signal })
}
