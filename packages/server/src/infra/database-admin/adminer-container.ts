import type { DatabaseType } from '@panel/contract/databases'
import type { NetworkState } from '../container-engine/container-engine.ts'
import { type DatabaseAddress, hostAndPort } from '../database-server/database-server.ts'
import { ownAddress } from '../own-container/own-addresses.ts'
import type { OwnContainerSpec } from '../own-container/own-container.ts'
import { listenPort } from './adminer-files.render.ts'

export function adminerContainer(options: {
  network: Pick<NetworkState, 'name' | 'subnet'>
  servers: Readonly<Record<DatabaseType, DatabaseAddress>>
  secret: string
}): OwnContainerSpec {
  const { network, servers, secret } = options
  return {
    env: {
      PANEL_SECRET: secret,
      POSTGRESQL_SERVER: hostAndPort(servers.POSTGRESQL),
      MYSQL_SERVER: hostAndPort(servers.MYSQL),
      // Shorter than the request timeout, so that a slow query fails with the server's own message; MySQL's limit is in
      // panel.ini.
      PGOPTIONS: '-c statement_timeout=110s',
      PGCONNECT_TIMEOUT: '10'
    },
    network: network.name,
    address: ownAddress('database-admin', network),
    containerPort: listenPort,
    memoryBytes: 384 * 2 ** 20,
    cpus: 1,
    pids: 64,
    volumes: []
  }
}
