import { randomBytes } from 'node:crypto'
import type { DatabaseType } from '@panel/contract/databases'
import type { ContainerEngine, NetworkState } from '../container-engine/container-engine.ts'
import type { DatabaseServer } from '../database-server/database-server.ts'
import { createOwnContainer } from '../own-container/own-container.ts'
import type { Run } from '../process/process.ts'
import { adminerContainer } from './adminer-container.ts'
import { adminerRecipe, adminerRole } from './adminer-recipe.ts'
import type { DatabaseAdmin } from './database-admin.ts'
import { type HttpUpstream, requestUpstream, unavailable } from './http-upstream.ts'

interface AdminerOptions {
  engine: ContainerEngine
  instanceId: string
  network: () => Promise<NetworkState>
  databaseServers: Readonly<Record<DatabaseType, Pick<DatabaseServer, 'addresses'>>>
  run: Run
  now?: () => Date
}

/** In its own container on the panel's network; reachable from this machine only. */
export function createAdminer({ network, databaseServers, ...options }: AdminerOptions): DatabaseAdmin {
  // Random per run, so that a container of an earlier run is replaced.
  const secret = randomBytes(32).toString('base64url')
  let upstream: HttpUpstream | undefined
  const container = createOwnContainer({
    ...options,
    role: adminerRole,
    recipe: adminerRecipe,
    async spec() {
      const { POSTGRESQL, MYSQL } = databaseServers
      const panelNetwork = await network()
      const gateway = async () => panelNetwork.gateway
      const [postgresql, mysql] = await Promise.all([POSTGRESQL.addresses(gateway), MYSQL.addresses(gateway)])
      const servers = { POSTGRESQL: postgresql.internal, MYSQL: mysql.internal }
      return adminerContainer({ network: panelNetwork, servers, secret })
    }
  })
  return {
    async ensure(call) {
      const { address, containerPort } = await container.ensure(call)
      upstream = { host: address, port: containerPort, secret }
    },
    async request(request) {
      if (!upstream) throw unavailable()
      return requestUpstream(upstream, request)
    },
    async remove() {
      upstream = undefined
      await container.remove()
    }
  }
}
