import { lazy } from '../../concurrency/lazy.ts'
import { listMachineAddresses } from '../../db/nodes.ts'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Endpoint } from '../../infra/container-engine/container-engine.ts'
import type { Slot } from './routes.repository.ts'
import { sharedNetworkAddress } from './shared-network.policy.ts'

/** The container, as seen from its machine. */
export async function endpointOf(deps: Pick<Dependencies, 'config' | 'network'>, slot: Slot): Promise<Endpoint> {
  const { DEPLOY_PORT_RANGE_START } = deps.config
  const address =
    slot.address ?? sharedNetworkAddress((await deps.network()).subnet, DEPLOY_PORT_RANGE_START, slot.port)
  return { address, port: slot.containerPort }
}

type Deps = Pick<Dependencies, 'config' | 'instanceId' | 'network' | 'proxy'> & { db: Queryable }

/**
 * Where the proxy reaches containers: one of another machine at the port that it publishes there, of which the proxy then
 * knows. Undefined if the machine was never reached. The machines are read once, and only if a container is on one.
 */
export function proxyEndpoints(deps: Deps): (slot: Slot) => Promise<Endpoint | undefined> {
  const machines = lazy(async () => {
    const addresses = await listMachineAddresses(deps.db)
    await deps.proxy.syncMachines([...addresses.values()])
    return addresses
  })
  return async (slot) => {
    // The panel's own machine has the id of the installation.
    if (slot.nodeId === deps.instanceId) return endpointOf(deps, slot)
    const address = (await machines()).get(slot.nodeId)
    return address === undefined ? undefined : { address, port: slot.port }
  }
}
