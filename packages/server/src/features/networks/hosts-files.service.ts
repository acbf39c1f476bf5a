import type { Dependencies } from '../../dependencies.ts'
import { type OnMachine, reconcileMachines } from '../nodes/on-machine.service.ts'
import { requireLink } from '../../db/nodes.ts'
import { renderHosts } from './hosts-file.policy.ts'
import { listSiteNames } from './hosts-files.repository.ts'
import { listNetworks, listNetworksOf } from './networks.repository.ts'
import { gatewayOf } from './subnets.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'hostsFiles' | 'instanceId' | 'nodeId'>

/**
 * Writes the file that is /etc/hosts in the containers of an account, and resolves with its path. With it a site reaches itself and
 * the account's other sites on servers whose public address does not come back to them (NAT), and before DNS points to the server.
 */
export async function prepareHostsFile(deps: Deps, uid: number): Promise<string> {
  const [first] = await listNetworksOf(deps.db, deps.nodeId, uid)
  const names = (await listSiteNames(deps.db, uid)).get(uid) ?? []
  return deps.hostsFiles.write(uid, renderHosts((await proxyAddresses(deps))(first!.subnet), names))
}

export async function reconcileHostsFiles(deps: Deps & OnMachine & Pick<Dependencies, 'logger'>): Promise<void> {
  await reconcileMachines(deps, 'hosts files', reconcileThere)
}

async function reconcileThere(deps: Deps): Promise<'done'> {
  // Listed before the networks are: a file is written after its network has a row, so one that appears later is not removed.
  const existing = await deps.hostsFiles.list()
  const [networks, names] = await Promise.all([listNetworks(deps.db, deps.nodeId), listSiteNames(deps.db)])
  const proxies = new Map<number, string>()
  const addressOf = await proxyAddresses(deps)
  for (const { uid, subnet } of networks) if (!proxies.has(uid)) proxies.set(uid, addressOf(subnet))
  for (const [uid, proxy] of proxies) await deps.hostsFiles.write(uid, renderHosts(proxy, names.get(uid) ?? []))
  for (const uid of existing) if (!proxies.has(uid)) await deps.hostsFiles.remove(uid)
  return 'done'
}

/** Where the containers of a network reach the proxy: at their gateway, or from another machine at the address of the panel's. */
async function proxyAddresses({ db, instanceId, nodeId }: Deps): Promise<(subnet: string) => string> {
  if (nodeId === instanceId) return gatewayOf
  const { panel } = await requireLink(db, nodeId)
  return () => panel
}
