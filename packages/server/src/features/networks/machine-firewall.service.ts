import { findNode, requireLink } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import {
  type AccountNetwork,
  FirewallError,
  type FirewallRules,
  type HostFirewall
} from '../../infra/host-firewall/host-firewall.ts'
import { bridgePrefix, buildBridgePrefix } from '../../net/network-names.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'hostFirewall' | 'instanceId' | 'network' | 'nodeId'>

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
  const rules = await rulesOf(deps)
  const key = JSON.stringify(rules)
  try {
    if (applied.get(deps.hostFirewall) === key && (await deps.hostFirewall.isApplied())) return
    await deps.hostFirewall.apply({ ...rules, networks: await listNetworks() })
  } catch (cause) {
    if (!(cause instanceof FirewallError)) throw cause
    const reason = cause.message
    throw new AdapterError('firewall-unavailable', 'The firewall of the machine cannot be set', { cause, reason })
  }
  applied.set(deps.hostFirewall, key)
}

async function rulesOf({ config, db, instanceId, network, nodeId }: Deps): Promise<FirewallRules> {
  const { panel } = await requireLink(db, nodeId)
  const nameservers = (await findNode(db, nodeId))?.facts?.nameservers ?? []
  const { bridge, gateway, pools } = await network()
  return {
    bridgePrefix: bridgePrefix(instanceId),
    buildBridgePrefix: buildBridgePrefix(instanceId),
    bridges: [],
    openPorts: [],
    nameservers,
    // The database servers are on the panel's machine.
    services: { address: gateway, bridge, ports: [], connectionsPerAccount: 1, isAddressShared: false },
    networks: [],
    pools,
    visitors: [panel],
    egress: {
      denyPrivate: config.EGRESS_DENY_PRIVATE,
      allow: [
        ...config.EGRESS_ALLOW.map((to) => ({ to })),
        ...[config.PROXY_HTTP_PORT, config.PROXY_HTTPS_PORT].map((port) => ({ to: panel, port }))
      ],
      allowSmtp: config.ALLOW_CONTAINER_SMTP
    }
  }
}
