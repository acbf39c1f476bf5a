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
import { type Finding, findInstalled, withVersion } from './finding.ts'
import { isPortTaken } from './listen-check.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Port, Program } from './program.ts'

interface DatabaseDefinition extends Pick<Program, 'title' | 'packages'> {
  name: 'postgresql' | 'mysql'
  type: DatabaseType
  folder: string
  port: 'POSTGRES_PORT' | 'MYSQL_PORT'
  adminUrl: 'POSTGRES_ADMIN_URL' | 'MYSQL_ADMIN_URL'
  internalHost: 'POSTGRES_HOST' | 'MYSQL_HOST'
  defaultPort: number
  make(options: DatabaseProgramOptions): Promise<ManagedProgram>
  pingOwn(location: { directory: string; port: number; admin: { name: string } }): Promise<string>
  pingExternal(adminUrl: string): Promise<string>
  findProgram(directory: string): Promise<string>
}

const loadDatabases = () => import('../features/databases/database-access.ts')

export function databaseProgram(definition: DatabaseDefinition): Program {
  const { name, title, type, port, adminUrl } = definition
  return {
    name,
    title,
    packages: definition.packages,
    // It listens at the gateway of the panel's own network, to which the firewall routes containers.
    needs: ['containerEngine', 'hostFirewall'],
    isRequired: false,
    isOurs: (config) => config[adminUrl] === undefined,
    ports: (config) => portsOf(definition, config),
    onDemand: {
      isNeeded: async ({ deps }) => (await loadDatabases()).isAnyDatabase(deps.db, type),
      until: `with the first ${title} database`
    },
    portHint: portHintOf(definition),
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
              deps.logger.warn(
                { error: error.message },
                `${title} has no memory limit. Run ./panel doctor for details.`
              )
            }
          )
      })
    },
    ping: ({ databaseServers }) => databaseServers[type].ping(),
    remedy: { code: 'RUN_UP_OR_CHECK_SERVER' },
    inspect: (config) => inspect(definition, config)
  }
}

function portsOf({ port, adminUrl, internalHost, defaultPort }: DatabaseDefinition, config: Config): Port[] {
  const given = config[adminUrl]
  if (given === undefined) return [{ port: config[port], containers: 'gateway' }]
  const isAtGateway = isOnThisMachine(given) && config[internalHost] === undefined
  return isAtGateway ? [{ port: addressesOf(given, defaultPort).host.port, containers: 'gateway' }] : []
}

/** External database servers reached over the network, at the addresses that sites use. */
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

const portHintOf = ({ port, adminUrl }: DatabaseDefinition): string =>
  `set ${port} to a free port, or ${adminUrl} to use the other server`

async function inspect(definition: DatabaseDefinition, config: Config): Promise<Finding> {
  const { title, adminUrl } = definition
  const given = config[adminUrl]
  if (given !== undefined) {
    const part = { part: `${title} (${adminUrl})`, found: true }
    return withVersion(
      part,
      () => definition.pingExternal(given),
      `${adminUrl}: the server is not responding or rejects this account`
    )
  }
  const directory = engineDirectory(config, definition)
  const program = await definition.findProgram(directory).then(
    (path) => ({ path }),
    (error: Error) => ({ remedy: error.message })
  )
  if ('remedy' in program) return { part: title, found: false, remedy: program.remedy }
  const install = `Run apt-get install ${definition.packages.join(' ')}, or ./panel up`
  const port = config[definition.port]
  const finding = await withVersion(
    await findInstalled(title, [program.path, '--version'], install),
    () => definition.pingOwn({ directory, port, admin: { name: databaseAdminAccount } }),
    `Run ./panel up to start it. If that fails, see ${directory}/${title.toLowerCase()}.log`
  )
  if (finding.running !== false || !(await isPortTaken('127.0.0.1', port))) return finding
  return { ...finding, remedy: `Another program uses port ${port}. Stop it, or ${portHintOf(definition)}` }
}
