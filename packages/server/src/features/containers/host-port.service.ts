import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { prepareHostsFile } from '../networks/hosts-files.service.ts'
import { ensureNetwork, findFreeAddress, maxMoves, noSubnet } from '../networks/networks.service.ts'
import { deleteSlot, insertSlot, listFreePorts, type SlotRow } from './container-slots.repository.ts'

type Reservation = Pick<SlotRow, 'nodeId' | 'projectId' | 'deploymentId' | 'containerPort'> &
  Partial<Pick<SlotRow, 'instance' | 'isReachable' | 'kind'>>
type Deps = Pick<
  Dependencies,
  | 'config'
  | 'databaseServers'
  | 'db'
  | 'engine'
  | 'hostFirewall'
  | 'hostsFiles'
  | 'instanceId'
  | 'logger'
  | 'network'
  | 'nodeId'
  | 'nodes'
>

export async function reservePlace(
  deps: Deps,
  uid: number,
  wanted: Reservation
): Promise<{ slot: SlotRow; networkName: string; hostsFile: string }> {
  for (let attempt = 1; ; attempt++) {
    const slot = await reserveSlot(deps, uid, wanted)
    const network = { nodeId: slot.nodeId, network: slot.network! }
    const networkName = await ensureNetwork(deps, network, () => deleteSlot(deps.db, slot))
    if (networkName !== undefined) return { slot, networkName, hostsFile: await prepareHostsFile(deps, uid) }
    if (attempt === maxMoves) throw noSubnet()
  }
}

/** Unique keys resolve races. Only the owner of the row probes the port: two probes would see each other as foreign. */
export async function reserveSlot(
  deps: Pick<Dependencies, 'config' | 'db' | 'engine' | 'network'>,
  uid: number,
  slot: Reservation
): Promise<SlotRow> {
  const { DEPLOY_PORT_RANGE_START: first, DEPLOY_PORT_RANGE_END: last } = deps.config
  const foreign = new Set<number>()
  for (;;) {
    const port = (await listFreePorts(deps.db, slot.nodeId, first, last)).find((each) => !foreign.has(each))
    if (port === undefined) break
    const reserved = await insertSlot(deps.db, { ...slot, port, ...(await findFreeAddress(deps, slot.nodeId, uid)) })
    if (!reserved) continue
    if (await deps.engine.isPortFree(port)) return reserved
    await deleteSlot(deps.db, reserved)
    foreign.add(port)
  }
  throw new AppError(
    'PORTS_EXHAUSTED',
    `All host ports from ${first} to ${last} are in use. Delete a project, or ask an administrator to widen the range of container ports.`
  )
}
