import type { Dependencies } from '../../dependencies.ts'
import { renderHosts } from './hosts-file.policy.ts'
import { listSiteNames } from './hosts-files.repository.ts'
import { listNetworks, listNetworksOf } from './networks.repository.ts'
import { gatewayOf } from './subnets.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'hostsFiles' | 'nodeId'>

/**
 * Writes the file that is /etc/hosts in the containers of an account, and resolves with its path. With it a site reaches itself and
 * the account's other sites on servers whose public address does not come back to them (NAT), and before DNS points to the server.
 */
export async function prepareHostsFile(deps: Deps, uid: number): Promise<string> {
  const [first] = await listNetworksOf(deps.db, deps.nodeId, uid)
  const names = (await listSiteNames(deps.db, uid)).get(uid) ?? []
  return deps.hostsFiles.write(uid, renderHosts(gatewayOf(first!.subnet), names))
}

export async function reconcileHostsFiles(deps: Deps): Promise<void> {
  // Listed before the networks are: a file is written after its network has a row, so one that appears later is not removed.
  const existing = await deps.hostsFiles.list()
  const [networks, names] = await Promise.all([listNetworks(deps.db, deps.nodeId), listSiteNames(deps.db)])
  const gateways = new Map<number, string>()
  for (const { uid, subnet } of networks) if (!gateways.has(uid)) gateways.set(uid, gatewayOf(subnet))
  for (const [uid, gateway] of gateways) await deps.hostsFiles.write(uid, renderHosts(gateway, names.get(uid) ?? []))
  for (const uid of existing) if (!gateways.has(uid)) await deps.hostsFiles.remove(uid)
}
