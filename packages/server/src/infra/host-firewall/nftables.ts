import { ProcessError, type Run } from '../process/process.ts'
import type { StartUnit } from '../process/start-unit.ts'
import { type AccountNetwork, FirewallError, type FirewallRules, type HostFirewall } from './host-firewall.ts'
import { renderBridgeTable, renderNetwork, renderNetworks, renderTable } from './nftables.render.ts'

interface NftablesOptions {
  table: string
  run: Run
  /** Of one call. */
  timeoutMs?: number
  boot?: StartUnit
}

export function createNftables({ table, run, timeoutMs = 10_000, boot }: NftablesOptions): HostFirewall {
  let applied: FirewallRules | undefined
  const nft = async (args: readonly string[], input?: string): Promise<string> => {
    try {
      const options = { timeoutMs, env: { LC_ALL: 'C' }, ...(input === undefined ? {} : { input }) }
      return (await run(['nft', ...args], options)).stdout
    } catch (cause) {
      if (!(cause instanceof ProcessError)) throw cause
      if (cause.reason === 'missing')
        throw new FirewallError('nft is not installed. Install it with: apt-get install nftables', { cause })
      const firstLine = cause.stderr.trim().split('\n')[0]
      throw new FirewallError(firstLine ? `nft: ${firstLine.slice(0, 300)}` : cause.message, { cause })
    }
  }
  // A kernel may lack it (nft_meta_bridge); packets between containers are refused by the other table.
  const applyBridgeTable = (rules: Pick<FirewallRules, 'defaultBridge'>) =>
    nft(['-f', '-'], renderBridgeTable(table, rules)).catch((error: unknown) => {
      if (!(error instanceof FirewallError)) throw error
    })
  /** When the machine starts, nothing is forwarded to services on another one. */
  async function saveForBoot(networks: readonly AccountNetwork[]): Promise<void> {
    if (!applied) return
    const { services } = applied
    const ports = services.relays ? [] : services.ports
    await boot?.save(renderTable(table, { ...applied, networks, services: { ...services, ports } }))
  }
  return {
    async apply(rules) {
      const text = renderTable(table, rules)
      await nft(['-c', '-f', '-'], text)
      await nft(['-f', '-'], text)
      if (rules.defaultBridge !== undefined) await applyBridgeTable(rules)
      applied = rules
      await saveForBoot(rules.networks)
    },
    async setNetworks(networks) {
      await nft(['-f', '-'], renderNetworks(table, networks))
      await saveForBoot(networks)
    },
    addNetwork: async (network) => void (await nft(['-f', '-'], renderNetwork(table, network))),
    isApplied: async () => (await nft(['list', 'tables', 'inet'])).split('\n').includes(`table inet ${table}`),
    async remove() {
      applied = undefined
      await boot?.remove()
      await nft(['-f', '-'], `table inet ${table}\ndelete table inet ${table}\n`)
      await applyBridgeTable({})
    }
  }
}
