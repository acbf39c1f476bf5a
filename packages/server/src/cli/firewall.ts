import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import { label } from '../infra/container-engine/labels.ts'
import { restoreEngineRules, shortenEngineRules } from '../infra/host-firewall/engine-rules.ts'
import { isBridgeFilterOn, switchOnBridgeFilter } from '../infra/host-firewall/bridge-filter.ts'
import { FirewallError } from '../infra/host-firewall/host-firewall.ts'
import { readNameservers } from '../infra/host-firewall/nameservers.ts'
import { createNftables } from '../infra/host-firewall/nftables.ts'
import { removeDeadTables, takeTable } from '../infra/host-firewall/other-panels.ts'
import { ProcessError, type Run } from '../infra/process/process.ts'
import { listAccountNetworks } from '../features/networks/networks.service.ts'
import { createDeadTableRemoval } from '../infra/server-firewall/dead-tables.ts'
import {
  banTable,
  bridgePrefix,
  buildBridgePrefix,
  firewallTable,
  serverFirewallTable,
  tunnelInterface
} from '../net/network-names.ts'
import { wasSharedByAccounts } from '../net/panel-network.ts'
import { resolveServers } from '../net/resolve-servers.ts'
import { databaseServersElsewhere } from '../programs/database-definition.ts'
import { programsOf } from '../programs/list.ts'
import type { Port } from '../programs/program.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'engine' | 'hostFirewall' | 'instanceId' | 'logger' | 'network' | 'nodeId' | 'now'
>

export interface Firewall {
  /** Reapplies the rules from the current settings. */
  refresh(): Promise<void>
  /** The rules stay in place for containers that keep running; the next start takes them over. */
  stop(): Promise<void>
}

/** Tells `./panel doctor`, which does not query the database, the name of our table. */
const markerPath = (config: Pick<Config, 'DATA_DIR'>) => join(config.DATA_DIR, 'firewall-table')

/**
 * Blocks containers from the services of this machine except the databases, which only containers reach. Logs a
 * warning on a machine without a firewall, where refusing to start would take the panel offline.
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
  const deadServerTables = await startDeadTableRemoval(deps, run)
  await shortenEngineRules(run, bridgePrefix(deps.instanceId)).catch((error: unknown) => {
    if (!(error instanceof FirewallError)) throw error
    deps.logger.info({ error: error.message }, 'traffic of sites bypasses the rules of the container engine')
  })
  return {
    refresh: () => warn(deps, () => applyRules(deps)),
    async stop() {
      deadServerTables.stop()
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
  const { kind } = await engine.findBuilder()
  await hostFirewall.apply({
    bridgePrefix: prefix,
    buildBridgePrefix: buildBridgePrefix(instanceId),
    bridges: found.map(({ bridge }) => bridge).filter((name) => !name.startsWith(prefix)),
    defaultBridge: kind === 'buildkit' ? await engine.defaultBridge() : undefined,
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
    tunnel: { interface: tunnelInterface(instanceId) },
    egress: {
      denyPrivate: config.EGRESS_DENY_PRIVATE,
      allow: [
        ...config.EGRESS_ALLOW.map((to) => ({ to })),
        ...(await resolveServers(databaseServersElsewhere(config)))
      ],
      allowSmtp: config.ALLOW_CONTAINER_SMTP
    }
  })
}

/** Removes tables of killed panels, which would block us too. */
async function removeDead(deps: Deps, run: Run, ownTable: string): Promise<void> {
  const removed = await removeDeadTables({ run, ownTable, bridgePrefix }).catch((error: unknown) => {
    if (error instanceof ProcessError) return [] // Applying our own table reports the cause.
    throw error
  })
  if (removed.length > 0)
    deps.logger.info({ tables: removed }, 'removed firewall tables of panels that no longer exist')
}

const deadTableSeconds = 30

/** Rules for the whole server of panels that were killed and did not come back would block what this one serves. */
async function startDeadTableRemoval({ instanceId, logger, now }: Deps, run: Run): Promise<{ stop(): void }> {
  const removeDeadTables = createDeadTableRemoval({
    run,
    ownTables: [serverFirewallTable(instanceId), banTable(instanceId)]
  })
  const remove = async (waitMs?: number) => {
    const tables = await removeDeadTables(now().getTime(), waitMs).catch((error: unknown) => {
      if (error instanceof ProcessError) return [] // Applying our own says what is wrong.
      throw error
    })
    if (tables.length > 0) logger.info({ tables }, 'removed server firewalls of panels that no longer exist')
  }
  await remove(0)
  const timer = setInterval(() => {
    remove().catch((error: unknown) =>
      logger.warn({ error: messageOf(error) }, 'could not remove firewalls of other panels')
    )
  }, deadTableSeconds * 1000).unref()
  return { stop: () => clearInterval(timer) }
}

/** Loads the rules and bans before the panel listens: a reboot has emptied the packet filter. Reconcile repeats failures. */
export async function restoreServerFirewall(deps: Dependencies): Promise<void> {
  const { reconcileFirewall } = await import('../features/firewall/firewall.reconcile.ts')
  const { reconcileBans } = await import('../features/bans/banning.service.ts')
  for (const restore of [reconcileFirewall, reconcileBans])
    await restore(deps).catch((error: unknown) =>
      deps.logger.warn({ error: messageOf(error) }, 'could not load the firewall rules or bans')
    )
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
      'containers are not isolated from this machine or from each other; see ./panel doctor'
    )
  }
}

/** Problem shown by `./panel doctor`; undefined if there is none. */
export async function firewallProblem(config: Pick<Config, 'DATA_DIR'>, run: Run): Promise<string | undefined> {
  const table = await readFile(markerPath(config), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (table === undefined) return 'Run ./panel up to apply it'
  try {
    if (await createNftables({ table, run }).isApplied()) return undefined
    return `containers reach the services of this machine: the table ${table} is missing; run ./panel up to apply it and see its log`
  } catch (error) {
    if (!(error instanceof FirewallError)) throw error
    return `containers reach the services of this machine: ${error.message}`
  }
}

export async function bridgeFilterProblem(): Promise<string | undefined> {
  const isOn = await isBridgeFilterOn()
  if (isOn === true) return undefined
  return isOn === false
    ? 'containers reach each other: sysctl net.bridge.bridge-nf-call-iptables=1'
    : 'containers may reach each other: modprobe br_netfilter, or ./panel up'
}
