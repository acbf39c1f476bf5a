import type { DatabaseType } from '@panel/contract/databases'
import type { Dependencies } from '../dependencies.ts'
import type { DatabaseServer } from '../infra/database-server/database-server.ts'
import type { DatabaseServerOptions } from '../infra/database-server/database-server-options.ts'
import { createClientTools } from '../infra/database-dump/client-tools.ts'
import { addressesOf, hostOf, isOnThisMachine } from '../infra/database-server/engine-address.ts'
import { createMysqlServer } from '../infra/database-server/mysql.ts'
import { createPostgresqlServer } from '../infra/database-server/postgresql.ts'
import { run } from '../infra/process/run.ts'
import type { SiteDatabase } from '../infra/site-database/site-database.ts'
import { databaseAdminAccount, databaseAdminPassword } from '../security/program-secrets.ts'
import type { Store } from './store.ts'
import { onDemandDatabaseServer } from './on-demand-database-server.ts'
import { onFirstUse } from './on-first-use.ts'

interface EngineEndpoint {
  type: DatabaseType
  given: string | undefined
  own: string
  internalHost: string | undefined
}

export async function openDatabaseServers({
  programStates: states,
  events,
  ...store
}: Store & Pick<Dependencies, 'events' | 'programStates'>): Promise<
  Pick<Dependencies, 'databaseDump' | 'databaseServers' | 'siteDatabase'>
> {
  const { config } = store
  const postgresql = await optionsOf(store, {
    type: 'POSTGRESQL',
    given: config.POSTGRES_ADMIN_URL,
    own: `postgresql://${databaseAdminAccount}@127.0.0.1:${config.POSTGRES_PORT}/postgres`,
    internalHost: config.POSTGRES_HOST
  })
  const mysql = await optionsOf(store, {
    type: 'MYSQL',
    given: config.MYSQL_ADMIN_URL,
    own: `mysql://${databaseAdminAccount}@127.0.0.1:${config.MYSQL_PORT}/`,
    internalHost: config.MYSQL_HOST
  })
  const onDemand = (server: DatabaseServer, name: 'postgresql' | 'mysql', title: string): DatabaseServer =>
    onDemandDatabaseServer(server, {
      name,
      title,
      states,
      requestStart: () => events.publish(store.db, { to: 'processes', name: 'program:used', data: { name } })
    })
  const servers = { POSTGRESQL: createPostgresqlServer(postgresql), MYSQL: createMysqlServer(mysql) }
  return {
    databaseServers: {
      POSTGRESQL: config.POSTGRES_ADMIN_URL
        ? servers.POSTGRESQL
        : onDemand(servers.POSTGRESQL, 'postgresql', 'PostgreSQL'),
      MYSQL: config.MYSQL_ADMIN_URL ? servers.MYSQL : onDemand(servers.MYSQL, 'mysql', 'MariaDB')
    },
    siteDatabase: lazySiteDatabase(mysql.adminUrl),
    databaseDump: createClientTools({
      run,
      servers: {
        POSTGRESQL: addressesOf(postgresql.adminUrl, 5432).server,
        MYSQL: addressesOf(mysql.adminUrl, 3306).server
      }
    })
  }
}

async function optionsOf(
  store: Store,
  { type, given, own, internalHost }: EngineEndpoint
): Promise<DatabaseServerOptions> {
  const adminUrl = given ?? (await withPassword(store, type, own))
  return {
    adminUrl,
    internalHost: async (gateway) => internalHost ?? (isOnThisMachine(adminUrl) ? gateway() : hostOf(adminUrl))
  }
}

async function withPassword(store: Store, type: DatabaseType, address: string): Promise<string> {
  const url = new URL(address)
  url.password = await databaseAdminPassword(store, type)
  return url.href
}

/** Imported on first use: only WordPress imports need it and its driver. */
const lazySiteDatabase = (adminUrl: string) =>
  onFirstUse<SiteDatabase>(
    async () =>
      (await import('../infra/site-database/mariadb-site-database.ts')).createMariadbSiteDatabase({ run, adminUrl }),
    {
      load: true,
      listTables: true,
      listImmovable: true,
      listPrograms: true,
      readOptions: true,
      requireUnlocked: true,
      dropOthers: true,
      writeOptions: true,
      rewriteTexts: true,
      exchange: true,
      dropPrevious: true
    }
  )
