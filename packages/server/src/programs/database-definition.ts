import type { DatabaseType } from '@panel/contract/databases'
import type { Config } from '../config.ts'
import { CgroupError } from '../infra/cgroup/cgroup.ts'
import { machineCgroups } from '../infra/cgroup/machine-cgroups.ts'
import { cageDatabaseServer } from '../wiring/cages.ts'
import { addressesOf, isOnThisMachine } from '../infra/database-server/engine-address.ts'
import { containerSubnets } from '../net/panel-network.ts'
import { engineDirectory } from '../process/paths.ts'
import { databaseAdminAccount, databaseAdminPassword } from '../security/program-secrets.ts'
import type { DatabaseProgramOptions } from './database-program.ts'
import { findInstalled, withAnswer } from './finding.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Port, Program } from './program.ts'

/** What differs between the database servers, besides how each is run. */
interface DatabaseDefinition extends Pick<Program, 'title' | 'packages'> {
  name: 'postgresql' | 'mysql'
  type: DatabaseType
  /** Below the state of the machine. */
  folder: string
  port: 'POSTGRES_PORT' | 'MYSQL_PORT'
  /** With it the administrator gives a server of his own. */
  adminUrl: 'POSTGRES_ADMIN_URL' | 'MYSQL_ADMIN_URL'
  internalHost: 'POSTGRES_HOST' | 'MYSQL_HOST'
  defaultPort: number
  make(options: DatabaseProgramOptions): Promise<ManagedProgram>
  /** The version of ours that runs. */
  pingOurs(location: { directory: string; port: number; admin: { name: string } }): Promise<string>
  /** The version of the one at the address. */
  pingGiven(adminUrl: string): Promise<string>
  /** The server's program. Rejects with what to install. */
  findProgram(directory: string): Promise<string>
}

/** Loaded when there is a panel to serve, since features bring most of it along. */
const loadDatabases = () => import('../features/databases/database-access.ts')

/** A database server of the list: ours, unless the administrator gives one. Another program on its port keeps nothing else from starting. */
export function databaseProgram(definition: DatabaseDefinition): Program {
  const { name, title, type, port, adminUrl } = definition
  return {
    name,
    title,
    packages: definition.packages,
    // It listens at the gateway of the panel's own network, where the firewall leads containers to from that of theirs.
    needs: ['containerEngine', 'hostFirewall'],
    isRequired: false,
    isOurs: (config) => config[adminUrl] === undefined,
    ports: (config) => portsOf(definition, config),
    onDemand: {
      isNeeded: async ({ deps }) => (await loadDatabases()).isAnyDatabase(deps.db, type),
      until: `with the first ${title} database`
    },
    portHint: `another program has the port: set ${port} to a free one, or ${adminUrl} to use that program`,
    async open({ config, deps, run }) {
      const network = await deps.network()
      return definition.make({
        directory: engineDirectory(config, definition),
        listen: ['127.0.0.1', network.gateway],
        port: config[port],
        containerSubnets: containerSubnets(network),
        admin: { name: databaseAdminAccount, password: await databaseAdminPassword(deps, type) },
        run,
        contain: (pids) =>
          cageDatabaseServer(machineCgroups(run), config, { instanceId: deps.instanceId, name, pids }).catch(
            (error: unknown) => {
              if (!(error instanceof CgroupError)) throw error
              deps.logger.warn({ error: error.message }, `${title} has no bound of memory; see ./panel doctor`)
            }
          )
      })
    },
    ping: ({ databaseServers }) => databaseServers[type].ping(),
    remedy: { code: 'RUN_UP_OR_CHECK_SERVER', values: { setting: adminUrl } },
    inspect: (config) => inspect(definition, config)
  }
}

function portsOf({ port, adminUrl, internalHost, defaultPort }: DatabaseDefinition, config: Config): Port[] {
  const given = config[adminUrl]
  if (given === undefined) return [{ port: config[port], containers: 'gateway' }]
  const isAtGateway = isOnThisMachine(given) && config[internalHost] === undefined
  return isAtGateway ? [{ port: addressesOf(given, defaultPort).host.port, containers: 'gateway' }] : []
}

/** Those of the administrator that are reached over the net: where sites find them. */
export function databaseServersElsewhere(config: Config): { host: string; port: number }[] {
  const given = [
    [config.POSTGRES_ADMIN_URL, config.POSTGRES_HOST, 5432],
    [config.MYSQL_ADMIN_URL, config.MYSQL_HOST, 3306]
  ] as const
  return given.flatMap(([adminUrl, internalHost, defaultPort]) => {
    if (adminUrl === undefined || (isOnThisMachine(adminUrl) && internalHost === undefined)) return []
    const { server } = addressesOf(adminUrl, defaultPort)
    return { host: internalHost ?? server.host, port: server.port }
  })
}

async function inspect(definition: DatabaseDefinition, config: Config) {
  const { title, adminUrl } = definition
  const given = config[adminUrl]
  if (given !== undefined) {
    const part = { part: `${title} (${adminUrl})`, found: true }
    return withAnswer(
      part,
      () => definition.pingGiven(given),
      `${adminUrl}: it does not answer, or not to this account`
    )
  }
  const directory = engineDirectory(config, definition)
  const program = await definition.findProgram(directory).then(
    (path) => ({ path }),
    (error: Error) => ({ remedy: error.message })
  )
  if ('remedy' in program) return { part: title, found: false, remedy: program.remedy }
  const install = `apt-get install ${definition.packages.join(' ')}, or ./panel up`
  const port = config[definition.port]
  return withAnswer(
    await findInstalled(title, [program.path, '--version'], install),
    () => definition.pingOurs({ directory, port, admin: { name: databaseAdminAccount } }),
    `./panel up starts it; why it may not start is in ${directory}/${title.toLowerCase()}.log (port ${port} taken?)`
  )
}
