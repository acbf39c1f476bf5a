import { randomBytes } from 'node:crypto'
import type { DatabaseType } from '@panel/contract/databases'
import { prepareOwnImage } from '../base-images/base-images.ts'
import {
  type ContainerEngine,
  type ContainerSpec,
  EngineError,
  type NetworkState
} from '../container-engine/container-engine.ts'
import type { DatabaseServer } from '../database-server/database-server.ts'
import type { Run } from '../process/process.ts'
import { adminerContainer, adminerLabels, settingsLabel } from './adminer-container.ts'
import { adminerImage, adminerRecipe, adminerRole } from './adminer-recipe.ts'
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

/** How often a newer image is looked for: it is made of the packages of its week. */
const renewEveryMs = 24 * 3600 * 1000
/** Adminer in a container of its own on the panel's own network, at whose gateway the database servers listen, reached by this machine alone. */
export function createAdminer(options: AdminerOptions): DatabaseAdmin {
  const { engine, instanceId, network, databaseServers, run, now = () => new Date() } = options
  const labels = adminerLabels(instanceId)
  // Of this run: a container that another run has left is replaced.
  const secret = randomBytes(32).toString('base64url')
  let upstream: HttpUpstream | undefined
  let renewAt = 0

  const ensureImage = async (log: (line: string) => void, signal: AbortSignal): Promise<string> => {
    const found = await engine.findImage(adminerImage)
    if (found && now().getTime() < renewAt) return found.id
    await prepareOwnImage({ engine, run, log, signal, now }, adminerRecipe(now()))
    renewAt = now().getTime() + renewEveryMs
    const made = await engine.findImage(adminerImage)
    if (!made) throw new Error(`The image ${adminerImage} is gone again`)
    return made.id
  }
  const wantedSpec = async (imageId: string): Promise<ContainerSpec> => {
    const { POSTGRESQL, MYSQL } = databaseServers
    const panelNetwork = await network()
    const gateway = async () => panelNetwork.gateway
    const [postgresql, mysql] = await Promise.all([POSTGRESQL.addresses(gateway), MYSQL.addresses(gateway)])
    const servers = { POSTGRESQL: postgresql.internal, MYSQL: mysql.internal }
    return adminerContainer({ instanceId, imageId, network: panelNetwork, servers, secret })
  }
  /** Resolves with whether it is a new one. */
  const ensureContainer = async (spec: ContainerSpec): Promise<boolean> => {
    const isWanted = (found: { labels: ContainerSpec['labels'] }) =>
      found.labels[settingsLabel] === spec.labels[settingsLabel]
    const found = await engine.listContainers(labels)
    for (const { id } of found.filter((container) => !isWanted(container))) await engine.removeContainer(id)
    const current = found.find(isWanted)
    if (current?.status !== 'running') await engine.startContainer(current?.id ?? (await engine.createContainer(spec)))
    return current === undefined
  }
  const removePreviousImages = async () => {
    for (const { id, tags } of await engine.listImages(adminerRole)) {
      if (tags.length > 0) continue
      await engine.removeImage(id).catch((error: unknown) => {
        // Another panel's container runs on it: that panel removes it.
        if (!(error instanceof EngineError)) throw error
      })
    }
  }

  return {
    async ensure({ log, signal }) {
      const spec = await wantedSpec(await ensureImage(log, signal))
      signal.throwIfAborted()
      if (await ensureContainer(spec)) await removePreviousImages()
      upstream = { host: spec.address, port: spec.containerPort, secret }
    },
    async request(request) {
      if (!upstream) throw unavailable()
      return requestUpstream(upstream, request)
    },
    async remove() {
      upstream = undefined
      for (const { id } of await engine.listContainers(labels)) await engine.removeContainer(id)
    }
  }
}
