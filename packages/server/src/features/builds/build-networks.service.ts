import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { buildNetworkNames } from '../../net/network-names.ts'

interface BuildNetwork {
  name: string
  /** Reusable only if the engine ended the build cleanly: a leftover process could reach the next build. */
  release(isReusable: boolean): Promise<void>
}

/** Build steps run as root with NET_RAW, so each build gets its own bridge, away from sites and other builds. */
export interface BuildNetworks {
  acquire(): Promise<BuildNetwork>
  sweep(findDead: WorkerLease['findDead']): Promise<'again' | 'done'>
  close(): Promise<void>
}

const closeLimitMs = 5_000
const closeRetryMs = 250

export function createBuildNetworks(
  { engine, instanceId, network: panelNetwork }: Pick<Dependencies, 'engine' | 'instanceId' | 'network'>,
  workerId: number
): BuildNetworks {
  const labels = { [label.instance]: instanceId, [label.role]: 'build' }
  const state = new Map<number, 'idle' | 'busy' | 'leaving'>()

  const take = (): number => {
    let number = [...state].find(([, use]) => use === 'idle')?.[0] ?? 0
    while (state.has(number) && state.get(number) !== 'idle') number++
    state.set(number, 'busy')
    return number
  }
  const remove = async (number: number) => {
    state.set(number, 'leaving')
    if (await isRemoved(engine, buildNetworkNames(instanceId, workerId, number).name)) state.delete(number)
  }
  const release = async (number: number, isReusable: boolean) => {
    if (isReusable) state.set(number, 'idle')
    else await remove(number)
  }

  return {
    async acquire() {
      const number = take()
      const { name, bridge } = buildNetworkNames(instanceId, workerId, number)
      try {
        // Account subnets are allocated before their networks exist, and variables already contain their addresses.
        const { pools } = await panelNetwork()
        // Also for a known network: it may have been removed by hand.
        await engine.ensureNetwork(
          name,
          { ...labels, [label.worker]: String(workerId) },
          { prefixLength: 28, bridge, avoid: pools }
        )
      } catch (error) {
        await remove(number)
        throw error
      }
      return { name, release: (isReusable) => release(number, isReusable) }
    },

    async sweep(findDead) {
      for (const [number, use] of [...state]) if (use === 'leaving') await remove(number)
      const found = await engine.listNetworks(labels)
      const ownerOf = (network: (typeof found)[number]) => Number(network.labels[label.worker])
      const others = [...new Set(found.map(ownerOf))].filter((id) => Number.isInteger(id) && id !== workerId)
      const dead = new Set(await findDead(others))
      for (const network of found) if (dead.has(ownerOf(network))) await isRemoved(engine, network.name)
      return [...state.values()].includes('leaving') ? 'again' : 'done'
    },

    async close() {
      // An aborted build may need a moment to end. The next worker removes what is left.
      const removeAll = async () => {
        for (let waitedMs = 0; state.size > 0 && waitedMs < closeLimitMs; waitedMs += closeRetryMs) {
          await Promise.all([...state.keys()].map(remove))
          if (state.size > 0) await sleep(closeRetryMs)
        }
      }
      await Promise.race([removeAll(), sleep(closeLimitMs, undefined, { ref: false })])
    }
  }
}

/** False if the network is in use or the engine is unavailable: try again later. */
async function isRemoved(engine: Dependencies['engine'], name: string): Promise<boolean> {
  try {
    await engine.removeNetwork(name)
    return true
  } catch (error) {
    if (error instanceof EngineError || error instanceof AdapterError) return false
    throw error
  }
}
