import type { Dependencies } from '../../dependencies.ts'
import type { Endpoint } from '../../infra/container-engine/container-engine.ts'
import type { Slot } from './routes.repository.ts'
import { sharedNetworkAddress } from './shared-network.policy.ts'

export async function endpointOf(deps: Pick<Dependencies, 'config' | 'network'>, slot: Slot): Promise<Endpoint> {
  const { DEPLOY_PORT_RANGE_START } = deps.config
  const address =
    slot.address ?? sharedNetworkAddress((await deps.network()).subnet, DEPLOY_PORT_RANGE_START, slot.port)
  return { address, port: slot.containerPort }
}
