import { createHash } from 'node:crypto'
import type { DatabaseType } from '@panel/contract/databases'
import type { ContainerSpec, NetworkState } from '../container-engine/container-engine.ts'
import { formatAddress, parseSubnet } from '../../ipv4-subnet.ts'
import { label } from '../container-engine/labels.ts'
import { type DatabaseAddress, hostAndPort } from '../database-server/database-server.ts'
import { listenPort } from './adminer-files.render.ts'
import { adminerRole } from './adminer-recipe.ts'

/** Names what a container was made of: one of another is replaced. */
export const settingsLabel = 'panel.settings'

// Reserved by Debian policy for nobody and nothing: no account of this machine or of a tenant has it.
const uid = 65_533
/** The first after the gateway: on a network that accounts once shared, theirs begin further on. */
const addressOffset = 2

export const adminerLabels = (instanceId: string) => ({ [label.instance]: instanceId, ...adminerRole })

/** The container as it is to be; what it is made of is in its labels. */
export function adminerContainer(options: {
  instanceId: string
  imageId: string
  network: Pick<NetworkState, 'name' | 'subnet'>
  servers: Readonly<Record<DatabaseType, DatabaseAddress>>
  secret: string
}): ContainerSpec {
  const { instanceId, imageId, network, servers, secret } = options
  const spec = {
    name: `panel-${instanceId}-database-admin`,
    image: imageId,
    env: {
      PANEL_SECRET: secret,
      POSTGRESQL_SERVER: hostAndPort(servers.POSTGRESQL),
      MYSQL_SERVER: hostAndPort(servers.MYSQL),
      // Less than a request may take, so that a slow query ends with the server's own sentence; MySQL's limit is in panel.ini.
      PGOPTIONS: '-c statement_timeout=110s',
      PGCONNECT_TIMEOUT: '10'
    },
    user: `${uid}:${uid}`,
    network: network.name,
    address: formatAddress(parseSubnet(network.subnet)!.base + addressOffset),
    containerPort: listenPort,
    memoryBytes: 384 * 2 ** 20,
    cpus: 1,
    pids: 64,
    readOnlyRoot: true,
    volumes: [],
    binds: []
  }
  const settings = createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16)
  return { ...spec, labels: { ...adminerLabels(instanceId), [settingsLabel]: settings } }
}
