import type { NodeConnection } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import type { StartUnit } from '../process/start-unit.ts'
import { type AccountNetwork, FirewallError, type FirewallRules, type HostFirewall } from './host-firewall.ts'
import { createNftables } from './nftables.ts'

interface RemoteFirewallOptions {
  table: string
  connection: Pick<NodeConnection, 'relay' | 'run'>
  boot?: StartUnit
}

type Services = Pick<FirewallRules['services'], 'address' | 'ports'>

const loopback = '127.0.0.1'
const timeoutMs = 30_000

// The kernel takes packets from a bridge to the loopback for forged without it. All but those to the services are dropped
// by the rules, which must be there first. A bridge that is missing gets it when its network is added.
const openLoopback =
  'for bridge; do f=/proc/sys/net/ipv4/conf/$bridge/route_localnet; [ ! -e "$f" ] || echo 1 > "$f"; done'
const listClosed =
  'for bridge; do f=/proc/sys/net/ipv4/conf/$bridge/route_localnet; [ ! -e "$f" ] || grep -q 1 "$f" || echo "$bridge"; done'

/**
 * The firewall of a machine that reaches the services at ports of its loopback, which the connection forwards to their
 * address on the panel's machine. Those ports are others after the connection was lost, so the rules no longer apply.
 */
export function createRemoteFirewall({ table, connection, boot }: RemoteFirewallOptions): HostFirewall {
  const nftables = createNftables({ table, run: connection.run, timeoutMs, ...(boot && { boot }) })
  let applied: { services: Services; relays: Record<number, number> } | undefined
  let bridges = new Set<string>()

  const relaysTo = async ({ address, ports }: Services): Promise<Record<number, number>> =>
    Object.fromEntries(await Promise.all(ports.map(async (port) => [port, await connection.relay(address, port)])))
  const onBridges = async (script: string, names: Iterable<string>): Promise<string> => {
    if (!applied || applied.services.ports.length === 0) return ''
    try {
      return (await connection.run(['sh', '-ec', script, 'sh', ...names], { timeoutMs })).stdout
    } catch (cause) {
      if (!(cause instanceof ProcessError)) throw cause
      throw new FirewallError(`route_localnet: ${cause.stderr.trim().slice(0, 300) || cause.message}`, { cause })
    }
  }
  const open = (networks: readonly AccountNetwork[]) =>
    onBridges(
      openLoopback,
      networks.map(({ bridge }) => bridge)
    )
  return {
    async apply(rules) {
      const { services } = rules
      const relays = await relaysTo(services)
      await nftables.apply({ ...rules, services: { ...services, address: loopback, relays } })
      applied = { services, relays }
      bridges = new Set(rules.networks.map(({ bridge }) => bridge))
      await open(rules.networks)
    },
    async isApplied() {
      if (!applied || !(await nftables.isApplied())) return false
      const relays = await relaysTo(applied.services)
      if (applied.services.ports.some((port) => relays[port] !== applied?.relays[port])) return false
      return (await onBridges(listClosed, bridges)) === ''
    },
    async setNetworks(networks) {
      await nftables.setNetworks(networks)
      bridges = new Set(networks.map(({ bridge }) => bridge))
      await open(networks)
    },
    async addNetwork(network) {
      await nftables.addNetwork(network)
      bridges.add(network.bridge)
      await open([network])
    },
    async remove() {
      applied = undefined
      await nftables.remove()
    }
  }
}
