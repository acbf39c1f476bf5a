import type { Database } from '@panel/contract/databases'
import type { Config } from '../../config.ts'
import type { DatabaseServer } from '../../infra/database-server/database-server.ts'
import { adminUrl } from './admin-url.policy.ts'
import { connectionUri } from './connection.policy.ts'
import type { DatabaseRow } from './databases.repository.ts'

interface Facts {
  addresses: Awaited<ReturnType<DatabaseServer['addresses']>>
  sizeBytes: number | undefined
  password?: string
}

export function databaseView(
  config: Pick<Config, 'API_BASE_URL'>,
  row: DatabaseRow,
  { addresses: { internal, host }, sizeBytes, password }: Facts
): Database {
  const { id, name, type, username } = row
  const account = { database: name, username, password }
  return {
    id,
    name,
    type,
    projectId: row.projectId,
    autoInjectEnv: row.autoInjectEnv,
    username,
    ...(password === undefined ? {} : { password }),
    host: internal.host,
    port: internal.port,
    internalUri: connectionUri(type, account, internal),
    hostUri: connectionUri(type, account, host),
    adminUrl: adminUrl(config.API_BASE_URL, type, name, username),
    sizeBytes: sizeBytes ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}
