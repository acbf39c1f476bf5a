import { ProcessError, type Run } from '../process/process.ts'
import { FirewallError, type HostFirewall } from './host-firewall.ts'
import { renderNetwork, renderNetworks, renderTable } from './nftables.render.ts'

const timeoutMs = 10_000

export function createNftables({ table, run }: { table: string; run: Run }): HostFirewall {
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
  return {
    async apply(rules) {
      const text = renderTable(table, rules)
      await nft(['-c', '-f', '-'], text)
      await nft(['-f', '-'], text)
    },
    setNetworks: async (networks) => void (await nft(['-f', '-'], renderNetworks(table, networks))),
    addNetwork: async (network) => void (await nft(['-f', '-'], renderNetwork(table, network))),
    isApplied: async () => (await nft(['list', 'tables', 'inet'])).split('\n').includes(`table inet ${table}`),
    remove: async () => void (await nft(['-f', '-'], `table inet ${table}\ndelete table inet ${table}\n`))
  }
}
