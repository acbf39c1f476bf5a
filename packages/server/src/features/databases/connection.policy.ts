import type { DatabaseType, injectedVariables } from '@panel/contract/databases'
import { maskedValue } from '@panel/contract/env-vars'
import { type DatabaseAccount, type DatabaseAddress, hostAndPort } from '../../infra/database-server/database-server.ts'

const schemes: Record<DatabaseType, string> = { POSTGRESQL: 'postgresql', MYSQL: 'mysql' }

export function connectionUri(
  type: DatabaseType,
  { database, username, password }: Omit<DatabaseAccount, 'password'> & { password?: string | undefined },
  address: DatabaseAddress
): string {
  const secret = password === undefined ? maskedValue : encodeURIComponent(password)
  const authority = `${encodeURIComponent(username)}:${secret}@${hostAndPort(address)}`
  return `${schemes[type]}://${authority}/${encodeURIComponent(database)}`
}

export function connectionVariables(
  type: DatabaseType,
  account: DatabaseAccount,
  internal: DatabaseAddress
): Record<(typeof injectedVariables)[number], string> {
  return {
    DATABASE_URL: connectionUri(type, account, internal),
    DB_TYPE: type,
    DB_HOST: internal.host,
    DB_PORT: String(internal.port),
    DB_NAME: account.database,
    DB_USER: account.username,
    DB_PASSWORD: account.password
  }
}
