import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../message-of.ts'
import { watchContainers } from '../container-watch.ts'
import { label } from '../infra/container-engine/labels.ts'
import { isBridgeFilterOn, switchOnBridgeFilter } from '../infra/host-firewall/bridge-filter.ts'
import { FirewallError, type HostFirewall } from '../infra/host-firewall/host-firewall.ts'
import { readNameservers } from '../infra/host-firewall/nameservers.ts'
import { createNftables } from '../infra/host-firewall/nftables.ts'
import type { Run } from '../infra/process/process.ts'
import { createSharedRuns } from '../shared-runs.ts'
import { bridgePrefix } from '../network-names.ts'
import { programs } from '../programs/list.ts'
import type { Port } from '../programs/program.ts'

type Deps = Pick<Dependencies, 'config' | 'engine' | 'instanceId' | 'logger' | 'network'>

/** Tells `./panel doctor`, which asks no store, the name of our table. */
const markerPath = (config: Pick<Config, 'DATA_DIR'>) => join(config.DATA_DIR, 'firewall-table')

/**
 * Keeps containers away from the services of this machine, but for the databases, and those from everybody else. A machine without a firewall is warned of, not refused: the panel would
 * serve nobody then.
 */
export async function startFirewall(deps: Deps, run: Run): Promise<{ stop(): Promise<void> }> {
  const table = `panel_${deps.instanceId}`
  const firewall = createNftables({ table, run })
  await writeFile(markerPath(deps.config), table, { mode: 0o600 })
  await warn(deps, () => switchOnBridgeFilter(run))
  await warn(deps, async () => {
    const prefix = bridgePrefix(deps.instanceId)
    const { gateway, bridge } = await deps.network()
    const found = await deps.engine.listNetworks({ [label.instance]: deps.instanceId })
    await firewall.apply({
      bridgePrefix: prefix,
      bridges: found.map((network) => network.bridge).filter((name) => !name.startsWith(prefix)),
      openPorts: portsFor('anywhere', deps.config),
      nameservers: await readNameservers(),
      services: {
        address: gateway,
        bridge,
        ports: portsFor('gateway', deps.config),
        connectionsPerAccount: deps.config.ACCOUNT_DATABASE_CONNECTIONS
      }
    })
  })
  const watch = new AbortController()
  const watched = watchContainers(deps, () => void tellAccounts(deps, firewall), watch.signal)
  return {
    /** What goes on running without us stays fenced in; the next start takes the rules over. */
    async stop() {
      watch.abort()
      await watched
      const containers = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
      if (containers.some(({ status }) => status === 'running' || status === 'restarting')) return
      await firewall.remove()
      await rm(markerPath(deps.config), { force: true })
    }
  }
}

const oneAtATime = createSharedRuns()

/** An engine that is away tells when it is back; a firewall that cannot be used was warned of. */
async function tellAccounts(deps: Deps, firewall: HostFirewall): Promise<void> {
  const work = async () => firewall.setAccounts(await listAccounts(deps))
  await oneAtATime(firewall, 'accounts', work).catch((error: unknown) =>
    deps.logger.debug({ error: messageOf(error) }, 'whose containers are where')
  )
}

/** Whose container is at which address. One that has just ended may have it still: nobody else gets it before they start, which is told too. */
async function listAccounts({ engine, instanceId }: Deps): Promise<Map<string, number>> {
  const containers = await engine.listContainers({ [label.instance]: instanceId })
  return new Map(
    containers.flatMap(({ address, labels }) => {
      const account = labels[label.account]
      return address === undefined || account === undefined ? [] : [[address, Number(account)] as const]
    })
  )
}

const portsFor = (containers: Port['containers'], config: Config): number[] =>
  programs
    .flatMap((program) => program.ports(config).filter((port) => port.containers === containers))
    .map(({ port }) => port)

async function warn(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof FirewallError)) throw error
    deps.logger.warn(
      { error: messageOf(error) },
      'containers are not kept away from this machine or from each other; see ./panel doctor'
    )
  }
}

/** What `./panel doctor` says: undefined where all is well. */
export async function firewallProblem(config: Pick<Config, 'DATA_DIR'>, run: Run): Promise<string | undefined> {
  const table = await readFile(markerPath(config), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (table === undefined) return './panel up applies it'
  try {
    if (await createNftables({ table, run }).isApplied()) return undefined
    return `containers reach the services of this machine: the table ${table} is missing; ./panel up applies it, or its log says why not`
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
