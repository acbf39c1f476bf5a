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

export interface ProvidedCredentials {
  name: string
  user: string
  password: string
  host: string
}

/** Undefined unless it is on the panel's own engine. Never connects to the given host (SSRF). */
export async function findOwnDatabase(
  deps: Deps,
  userId: string,
  provided: ProvidedCredentials
): Promise<{ row: DatabaseRow; account: DatabaseAccount } | undefined> {
  const { internal, host } = await deps.databaseServers.MYSQL.addresses(() => accountGateway(deps, userId))
  // Sites created before per-account networks use the shared gateway.
  const { gateway } = await deps.network()
  const names = ['', 'localhost', '127.0.0.1', '::1', internal.host, gateway, host.host]
  const hosts = names.flatMap((name) => [name, `${name}:${internal.port}`, `${name}:${host.port}`])
  if (!hosts.includes(provided.host.trim().toLowerCase())) return undefined
  const row = await findDatabaseByName(deps.db, 'MYSQL', provided.name)
  if (row?.userId !== userId || row.status !== 'ACTIVE' || row.username !== provided.user) return undefined
  const account = openAccount(deps, row)
  return sameSecret(provided.password, account.password) ? { row, account } : undefined
}

/** Rejects variables set by hand: they would override the ones that the panel injects. */
export async function refuseManualVariables(deps: Pick<Deps, 'db'>, projectId: string): Promise<void> {
  const manual = (await listEnvVarFacts(deps.db, { projectId }))
    .filter(({ key, databaseId }) => databaseId === null && (isInjected(key) || key.startsWith('WORDPRESS_DB_')))
    .map(({ key }) => key)
  if (manual.length > 0)
    throw new AppError('DATABASE_VARIABLES_EXIST', {
      code: 'VARIABLES_BY_HAND',
      values: { names: manual.join(', ') }
    })
}

const isInjected = (key: string): boolean => injectedVariables.some((name) => name === key)
