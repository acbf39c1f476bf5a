import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { type Endpoint, EngineError } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { type AccountNetwork, FirewallError } from '../../infra/host-firewall/host-firewall.ts'
import { messageOf } from '../../text/message-of.ts'
import { accountNetworkNames } from '../../net/network-names.ts'
import { type OnMachine, onMachine } from '../nodes/on-machine.service.ts'
import { findUid } from '../users/account-access.ts'
import { ensureMachineFirewall } from './machine-firewall.service.ts'
import {
  findFirstNetwork,
  findNetwork,
  insertNetwork,
  listAddresses,
  listNetworks,
  listNetworksOf,
  listReachable,
  moveNetwork,
  type NetworkRow
} from './networks.repository.ts'
import { freeAddress, gatewayOf, nextNetwork } from './subnets.policy.ts'

type Deps = Pick<
  Dependencies,
  | 'config'
  | 'databaseServers'
  | 'db'
  | 'engine'
  | 'hostFirewall'
  | 'instanceId'
  | 'logger'
  | 'network'
  | 'nodeId'
  | 'nodes'
>

/**
 * The host's address on the account's first network, where its containers reach the database servers: those on other
 * machines too, at the address of the panel's machine.
 */
export async function accountGateway(
  deps: Pick<Deps, 'db' | 'engine' | 'network' | 'nodeId'>,
  userId: string
): Promise<string> {
  const first = await findFirstNetwork(deps.db, deps.nodeId, userId)
  if (first) return gatewayOf(first.subnet)
  const uid = await findUid(deps.db, userId)
  if (uid === undefined) throw new AppError('NOT_FOUND', 'Account not found')
  return gatewayOf((await allocateNetwork(deps, deps.nodeId, uid)).subnet)
}

/** Like `accountGateway`, from any machine, but also creates the network, so that the address no longer changes. */
export async function settleGateway(there: Deps & OnMachine, userId: string): Promise<string> {
  const deps = await onMachine(there, there.instanceId)
  for (let attempt = 1; attempt <= maxMoves; attempt++) {
    const gateway = await accountGateway(deps, userId)
    const [first] = await listNetworksOf(deps.db, deps.nodeId, (await findUid(deps.db, userId))!)
    const name = await ensureNetwork(deps, { nodeId: deps.nodeId, network: first!.number }, async () => {})
    if (name !== undefined) return gateway
  }
  throw noSubnet()
}

/** Each attempt moves the network when its subnet turns out to be taken. */
export const maxMoves = 5

export const noSubnet = () =>
  new AppError(
    'NETWORKS_EXHAUSTED',
    'No free subnet for this account network on the server. Ask an administrator to set the container networks to an unused range.'
  )

/** A free address for one more container of the account. Not reserved: the first to insert it gets it. */
export async function findFreeAddress(
  deps: Pick<Deps, 'db' | 'engine' | 'network'>,
  nodeId: string,
  uid: number
): Promise<{ network: number; address: string }> {
  const networks = await listNetworksOf(deps.db, nodeId, uid)
  const used = await listAddresses(
    deps.db,
    nodeId,
    networks.map(({ number }) => number)
  )
  const found = freeAddress(networks, used) ?? freeAddress([await allocateNetwork(deps, nodeId, uid)], [])
  return found!
}

/** Only inserts the row: the network is created when a container needs it. */
async function allocateNetwork(
  deps: Pick<Deps, 'db' | 'engine' | 'network'>,
  nodeId: string,
  uid: number
): Promise<NetworkRow> {
  for (;;) {
    const network = await insertNetwork(deps.db, { nodeId, uid, ...(await chooseNext(deps, nodeId)) })
    if (network) return network
  }
}

async function chooseNext(deps: Pick<Deps, 'db' | 'engine' | 'network'>, nodeId: string) {
  const { subnet, pools } = await deps.network()
  const existing = await listNetworks(deps.db, nodeId)
  // If the engine is unavailable, a conflict is detected when the network is created.
  const taken = await deps.engine.takenSubnets().catch((error: unknown) => {
    if (error instanceof AdapterError && error.kind === 'container-engine-unavailable') return []
    throw error
  })
  const next = nextNetwork({ pools, existing, taken: [subnet, ...taken] })
  if (next) return next
  throw new AppError(
    'NETWORKS_EXHAUSTED',
    `No free subnet in ${pools.join(', ')} for another account network. Ask an administrator to add a range to the container networks.`
  )
}

/** Undefined if the subnet was taken on this host and the network moved to another: addresses in it are void. */
export async function ensureNetwork(
  deps: Deps,
  { nodeId, network: number }: { nodeId: string; network: number },
  release: () => Promise<void>
): Promise<string | undefined> {
  const row = await findNetwork(deps.db, nodeId, number)
  if (!row) throw new AppError('CONFLICT', 'The network of this account was removed. Try again.')
  const names = accountNetworkNames(deps.instanceId, number)
  await ensureMachineFirewall(deps, () => listAccountNetworks(deps))
  try {
    await makeNetwork(deps, row)
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 409) throw error
    await release()
    const { subnet } = await chooseNext(deps, nodeId)
    if (!(await moveNetwork(deps.db, row, subnet))) throw error
    deps.logger.warn({ was: row.subnet, subnet, error: error.message }, 'account network moved to another subnet')
    return undefined
  }
  const reachable = (await listReachable(deps.db, nodeId, number)).get(number) ?? []
  const ofPanel = await listNetworksOf(deps.db, deps.instanceId, row.uid)
  await updateFirewall(deps, () => deps.hostFirewall.addNetwork(accountNetworkOf(deps, row, { reachable, ofPanel })))
  return names.name
}

/** A network with this name on another subnet is a leftover of a deleted row: it is replaced unless in use. */
export async function makeNetwork(deps: Pick<Deps, 'db' | 'engine' | 'instanceId'>, row: NetworkRow): Promise<void> {
  const { name, bridge } = accountNetworkNames(deps.instanceId, row.number)
  const labels = { [label.instance]: deps.instanceId, [label.role]: 'account', [label.account]: String(row.uid) }
  // The firewall decides who reaches whom, which the engine would refuse to all.
  const options = { bridge, subnet: row.subnet, isOpen: true }
  const { subnet } = await deps.engine.ensureNetwork(name, labels, options)
  // Another process moved it after the row was read, and created it there.
  if (subnet === row.subnet || subnet === (await findNetwork(deps.db, row.nodeId, row.number))?.subnet) return
  await deps.engine.removeNetwork(name)
  await deps.engine.ensureNetwork(name, labels, options)
}

export async function listAccountNetworks(deps: Pick<Deps, 'db' | 'instanceId' | 'nodeId'>): Promise<AccountNetwork[]> {
  const { db, instanceId, nodeId } = deps
  const [rows, reachable, ofPanel] = await Promise.all([
    listNetworks(db, nodeId),
    listReachable(db, nodeId),
    nodeId === instanceId ? [] : listNetworks(db, instanceId)
  ])
  return rows.map((row) => accountNetworkOf(deps, row, { reachable: reachable.get(row.number) ?? [], ofPanel }))
}

const accountNetworkOf = (
  { instanceId, nodeId }: Pick<Deps, 'instanceId' | 'nodeId'>,
  { number, uid, subnet }: NetworkRow,
  { reachable, ofPanel }: { reachable: readonly Endpoint[]; ofPanel: readonly NetworkRow[] }
): AccountNetwork => ({
  bridge: accountNetworkNames(instanceId, number).bridge,
  gateways:
    nodeId === instanceId
      ? [gatewayOf(subnet)]
      : ofPanel.filter((row) => row.uid === uid).map((row) => gatewayOf(row.subnet)),
  account: uid,
  reachable
})

/** Debug level only: a missing firewall is already reported at startup. */
export async function updateFirewall({ logger }: Pick<Deps, 'logger'>, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof FirewallError)) throw error
    logger.debug({ error: messageOf(error) }, 'could not update account networks in the firewall')
  })
}
