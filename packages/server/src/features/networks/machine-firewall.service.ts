import { databaseTypes } from '@panel/contract/databases'
import { findNode, listEdgeAddresses, requireLink } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { DatabaseAddress } from '../../infra/database-server/database-server.ts'
import {
  type AccountNetwork,
  FirewallError,
  type FirewallRules,
  type HostFirewall
} from '../../infra/host-firewall/host-firewall.ts'
import { requireTunnel } from '../nodes/tunnels.service.ts'
import { resolveServers } from '../../net/resolve-servers.ts'
import { bridgePrefix, buildBridgePrefix, tunnelInterface } from '../../net/network-names.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'databaseServers' | 'db' | 'hostFirewall' | 'instanceId' | 'network' | 'nodeId' | 'nodes'
>

// Per process: another one may apply the same again.
const applied = new WeakMap<HostFirewall, string>()

/**
 * On a machine other than the panel's own, whose rules `./panel up` applies: what its containers may reach, and that only the
 * panel reaches them. Before the first container is there, and again after a restart of the machine. Rejects with AdapterError.
 */
export async function ensureMachineFirewall(
  deps: Deps,
  listNetworks: () => Promise<readonly AccountNetwork[]>
): Promise<void> {
  if (deps.nodeId === deps.instanceId) return
  await requireTunnel(deps, deps.nodeId)
  const { rules, elsewhere } = await rulesOf(deps)
  const key = JSON.stringify({ rules, elsewhere })
  try {
    if (applied.get(deps.hostFirewall) === key && (await deps.hostFirewall.isApplied())) return
    const allow = [...rules.egress.allow, ...(await resolveServers(elsewhere))]
    await deps.hostFirewall.apply({ ...rules, networks: await listNetworks(), egress: { ...rules.egress, allow } })
  } catch (cause) {
    if (!(cause instanceof FirewallError)) throw cause
    const reason = cause.message
    throw new AdapterError('firewall-unavailable', 'The firewall of the machine cannot be set', { cause, reason })
  }
  applied.set(deps.hostFirewall, key)
}

async function rulesOf(deps: Deps): Promise<{ rules: FirewallRules; elsewhere: DatabaseAddress[] }> {
  const { config, db, instanceId, network, nodeId } = deps
  const { panel } = await requireLink(db, nodeId)
  const row = await findNode(db, nodeId)
  const nameservers = row?.facts?.nameservers ?? []
  const proxyPorts = [config.PROXY_HTTP_PORT, config.PROXY_HTTPS_PORT]
  const { bridge, gateway, pools } = await network()
  const { ports, elsewhere } = await databaseServersFrom(deps, gateway)
  const rules = {
    bridgePrefix: bridgePrefix(instanceId),
    buildBridgePrefix: buildBridgePrefix(instanceId),
    bridges: [],
    openPorts: [],
    nameservers,
    // At the address of the panel's machine from which its superusers cannot sign in.
    services: {
      address: gateway,
      bridge,
      ports,
      connectionsPerAccount: config.ACCOUNT_DATABASE_CONNECTIONS,
      isAddressShared: false
    },
    networks: [],
    pools,
    visitors: [panel, ...(await listEdgeAddresses(db))],
    ...(row?.tunnel && {
      tunnel: { interface: tunnelInterface(instanceId), open: { address: panel, ports: proxyPorts } }
    }),
    egress: {
      denyPrivate: config.EGRESS_DENY_PRIVATE,
      allow: [...config.EGRESS_ALLOW.map((to) => ({ to })), ...proxyPorts.map((port) => ({ to: panel, port }))],
      allowSmtp: config.ALLOW_CONTAINER_SMTP
    }
  }
  return { rules, elsewhere }
}

/** Ports of the database servers that containers reach at a gateway of the panel's machine, and the servers that are elsewhere. */
async function databaseServersFrom(
  { databaseServers }: Pick<Deps, 'databaseServers'>,
  gateway: string
): Promise<{ ports: number[]; elsewhere: DatabaseAddress[] }> {
  const found = await Promise.all(databaseTypes.map((type) => databaseServers[type].addresses(async () => gateway)))
  const addresses = found.map(({ internal }) => internal)
  return {
    ports: addresses.filter(({ host }) => host === gateway).map(({ port }) => port),
    elsewhere: addresses.filter(({ host }) => host !== gateway)
  }
}
