import { AppError } from '../../errors.ts'
import { injectedVariables } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import { sameSecret } from '../../http/same-secret.ts'
import type { DatabaseAccount } from '../../infra/database-server/database-server.ts'
import { type DatabaseRow, findDatabaseByName } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { accountGateway } from '../networks/networks.service.ts'
import { listEnvVarFacts } from '../env-vars/env-var-access.ts'

type Deps = Pick<Dependencies, 'databaseServers' | 'db' | 'engine' | 'network' | 'nodeId' | 'secretBox'>

/** As a form or a wp-config.php says them. */
export interface ProvidedCredentials {
  name: string
  user: string
  password: string
  /** With or without a port. */
  host: string
}

/**
 * The caller's database that the credentials are of; undefined where there is none on the panel's own engine. No other engine is ever
 * connected to, whatever host is named: it might be anything in the panel's own network.
 */
export async function findOwnDatabase(
  deps: Deps,
  userId: string,
  provided: ProvidedCredentials
): Promise<{ row: DatabaseRow; account: DatabaseAccount } | undefined> {
  const { internal, host } = await deps.databaseServers.MYSQL.addresses(() => accountGateway(deps, userId))
  // Of a site from before accounts had networks of their own, too.
  const { gateway } = await deps.network()
  const names = ['', 'localhost', '127.0.0.1', '::1', internal.host, gateway, host.host]
  const hosts = names.flatMap((name) => [name, `${name}:${internal.port}`, `${name}:${host.port}`])
  if (!hosts.includes(provided.host.trim().toLowerCase())) return undefined
  const row = await findDatabaseByName(deps.db, 'MYSQL', provided.name)
  if (row?.userId !== userId || row.status !== 'ACTIVE' || row.username !== provided.user) return undefined
  const account = openAccount(deps, row)
  return sameSecret(provided.password, account.password) ? { row, account } : undefined
}

/** The site is to read its database from the variables that the panel sets: others of the same meaning would win over them. */
export async function refuseHandmadeVariables(deps: Pick<Deps, 'db'>, projectId: string): Promise<void> {
  const handmade = (await listEnvVarFacts(deps.db, projectId))
    .filter(({ key, databaseId }) => databaseId === null && (isInjected(key) || key.startsWith('WORDPRESS_DB_')))
    .map(({ key }) => key)
  if (handmade.length > 0)
    throw new AppError('DATABASE_VARIABLES_EXIST', {
      code: 'VARIABLES_BY_HAND',
      values: { names: handmade.join(', ') }
    })
}

const isInjected = (key: string): boolean => injectedVariables.some((name) => name === key)
