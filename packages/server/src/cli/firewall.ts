import { readFile, rm, writeFile } from 'node:fs/promises'
import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import { label } from '../infra/container-engine/labels.ts'
import { restoreEngineRules, shortenEngineRules } from '../infra/host-firewall/engine-rules.ts'
import { isBridgeFilterOn, switchOnBridgeFilter } from '../infra/host-firewall/bridge-filter.ts'
import { type Egress, FirewallError } from '../infra/host-firewall/host-firewall.ts'
import { readNameservers } from '../infra/host-firewall/nameservers.ts'
import { createNftables } from '../infra/host-firewall/nftables.ts'
import { removeDeadTables, takeTable } from '../infra/host-firewall/other-panels.ts'
import { ProcessError, type Run } from '../infra/process/process.ts'
import { listAccountNetworks } from '../features/networks/networks.service.ts'
import { bridgePrefix, buildBridgePrefix, firewallTable } from '../net/network-names.ts'
import { wasSharedByAccounts } from '../net/panel-network.ts'
import { databaseServersElsewhere } from '../programs/database-definition.ts'
import { programsOf } from '../programs/list.ts'
import type { Port } from '../programs/program.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'engine' | 'hostFirewall' | 'instanceId' | 'logger' | 'network' | 'nodeId'
>

/** Stores the name of our table for `./panel doctor`, which does not open the database. */
const markerPath = (config: Pick<Config, 'DATA_DIR'>) => join(config.DATA_DIR, 'firewall-table')

/**
 * Isolates containers from this machine's services. Without a firewall it only warns, so that the panel stays usable.
 */
export async function startFirewall(deps: Deps, run: Run): Promise<Firewall> {
  const table = firewallTable(deps.instanceId)
  const release = await takeTable(table)
  await writeFile(markerPath(deps.config), table, { mode: 0o600 })
  await warn(deps, () => switchOnBridgeFilter(run))
  await warn(deps, async () => {
    await removeDead(deps, run, table)
    await applyRules(deps)
  })
  await shortenEngineRules(run, bridgePrefix(deps.instanceId)).catch((error: unknown) => {
    if (!(error instanceof FirewallError)) throw error
    deps.logger.info({ error: error.message }, 'could not shorten the rules of the container engine')
  })
  return {
    /** Keeps the rules while containers run without the panel; the next start takes them over. */
    async stop() {
      const containers = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
      if (!containers.some(({ status }) => status === 'running' || status === 'restarting')) {
        await deps.hostFirewall.remove()
        await restoreEngineRules(run, bridgePrefix(deps.instanceId))
        await rm(markerPath(deps.config), { force: true })
      }
      await release?.()
    }
  }
}

async function applyRules({ config, db, engine, hostFirewall, instanceId, network, nodeId }: Deps): Promise<void> {
  const prefix = bridgePrefix(instanceId)
  const panelNetwork = await network()
  const found = await engine.listNetworks({ [label.instance]: instanceId })
  await hostFirewall.apply({
    bridgePrefix: prefix,
    buildBridgePrefix: buildBridgePrefix(instanceId),
    bridges: found.map(({ bridge }) => bridge).filter((name) => !name.startsWith(prefix)),
    openPorts: portsFor('anywhere', config),
    nameservers: await readNameservers(),
    services: {
      address: panelNetwork.gateway,
      bridge: panelNetwork.bridge,
      ports: portsFor('gateway', config),
      connectionsPerAccount: config.ACCOUNT_DATABASE_CONNECTIONS,
      isAddressShared: wasSharedByAccounts(panelNetwork)
    },
    networks: await listAccountNetworks({ db, instanceId, nodeId }),
    pools: panelNetwork.pools,
    egress: {
      denyPrivate: config.EGRESS_DENY_PRIVATE,
      allow: [...config.EGRESS_ALLOW.map((to) => ({ to })), ...(await givenServers(config))],
      allowSmtp: config.ALLOW_CONTAINER_SMTP
    }
  })
}

/** Removes rules of killed panels, because they would also block ours. */
async function removeDead(deps: Deps, run: Run, ownTable: string): Promise<void> {
  const removed = await removeDeadTables({ run, ownTable, bridgePrefix }).catch((error: unknown) => {
    if (error instanceof ProcessError) return [] // Applying our own rules reports the problem.
    throw error
  })
  if (removed.length > 0) deps.logger.info({ tables: removed }, 'removed firewall tables of stopped panels')
}

/** External database servers, which sites may reach even at a private address. */
async function givenServers(config: Config): Promise<Egress['allow']> {
  const servers = databaseServersElsewhere(config)
  const found = await Promise.all(
    servers.map(async ({ host, port }) => {
      const addresses = await lookup(host, { all: true }).catch(() => [])
      return addresses.map(({ address }) => ({ to: address, port }))
    })
  )
  return found.flat()
}

const portsFor = (containers: Port['containers'], config: Config): number[] =>
  programsOf(config)
    .flatMap((program) => program.ports(config).filter((port) => port.containers === containers))
    .map(({ port }) => port)

async function warn(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof FirewallError)) throw error
    deps.logger.warn(
      { error: messageOf(error) },
      'Containers are not isolated from this machine or from each other. Run ./panel doctor for details.'
    )
  }
}

export async function firewallProblem(config: Pick<Config, 'DATA_DIR'>, run: Run): Promise<string | undefined> {
  const table = await readFile(markerPath(config), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (table === undefined) return 'Run ./panel up to apply it'
  try {
    if (await createNftables({ table, run }).isApplied()) return undefined
    return `Containers can reach the services of this machine: the table ${table} is missing. Run ./panel up to apply it, or see its log`
  } catch (error) {
    if (!(error instanceof FirewallError)) throw error
    return `Containers can reach the services of this machine: ${error.message}`
  }
}

export async function bridgeFilterProblem(): Promise<string | undefined> {
  const isOn = await isBridgeFilterOn()
  if (isOn === true) return undefined
  return isOn === false
    ? 'Containers can reach each other. Run sysctl net.bridge.bridge-nf-call-iptables=1'
    : 'Containers may reach each other. Run modprobe br_netfilter, or ./panel up'
}
