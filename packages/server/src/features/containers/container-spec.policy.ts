import type { ProjectType } from '@panel/contract/projects'
import type { Config } from '../../config.ts'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import type { ContainerSpec } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'

export interface ContainerFacts {
  instanceId: string
  networkName: string
  project: { id: string; name: string; type: ProjectType; port: number | null; readOnlyRoot: boolean }
  deploymentId: string
  image: string
  imageSpec: ImageSpec
  uid: number
  /** The project's own, on the host. */
  filesDirectory: string
  /** The project's named volumes that there are, from before projects had directories. */
  legacyVolumes: readonly string[]
  env: Readonly<Record<string, string>>
  hostPort: number
  address: string
}

/** The port inside the container: the project's, else $PORT as the owner set it, else the image's. */
export function containerPortOf(
  project: { port: number | null },
  env: Readonly<Record<string, string>>,
  spec: ImageSpec
): number {
  const fromEnv = /^[1-9]\d{0,4}$/.test(env.PORT ?? '') ? Number(env.PORT) : undefined
  return project.port ?? (fromEnv !== undefined && fromEnv <= 65535 ? fromEnv : spec.port)
}

/** What the engine is told to run. Nothing in it that widens rights can come from a user. */
export function containerSpec(
  config: Pick<Config, 'DEPLOY_MEMORY_LIMIT' | 'DEPLOY_CPU_LIMIT' | 'DEPLOY_PIDS_LIMIT' | 'CONTAINER_DISK_LIMIT'>,
  facts: ContainerFacts
): ContainerSpec {
  const port = containerPortOf(facts.project, facts.env, facts.imageSpec)
  const readOnlyRoot = facts.imageSpec.readOnlyRoot || facts.project.readOnlyRoot
  const megabytes = Math.floor(config.DEPLOY_MEMORY_LIMIT / 2 ** 20)
  return {
    // By the id alone: a network tells the names of its containers to whoever is on it.
    name: `panel-${facts.instanceId}-${facts.deploymentId}`,
    image: facts.image,
    labels: {
      [label.instance]: facts.instanceId,
      [label.project]: facts.project.id,
      [label.projectName]: facts.project.name,
      [label.deployment]: facts.deploymentId,
      [label.account]: String(facts.uid)
    },
    env: {
      HOME: readOnlyRoot ? '/tmp' : (facts.imageSpec.home ?? '/tmp'),
      // Node's own default heap is larger than the container: it would be killed without a word.
      NODE_OPTIONS: `--max-old-space-size=${Math.max(32, Math.floor(megabytes * 0.75))}`,
      // Of one request, beside what Apache and the cache of compiled scripts take.
      PHP_MEMORY_LIMIT: `${Math.max(32, megabytes - 48)}M`,
      ...facts.env,
      PORT: String(port),
      // Ids grow: of two containers of a project, a program can tell which is the newer.
      PANEL_DEPLOYMENT: facts.deploymentId
    },
    account: facts.uid,
    user: `${facts.uid}:${facts.uid}`,
    network: facts.networkName,
    address: facts.address,
    hostPort: facts.hostPort,
    containerPort: port,
    memoryBytes: config.DEPLOY_MEMORY_LIMIT,
    cpus: config.DEPLOY_CPU_LIMIT,
    pids: config.DEPLOY_PIDS_LIMIT,
    readOnlyRoot,
    layerBytes: config.CONTAINER_DISK_LIMIT,
    ...mountsOf(facts)
  }
}

/** What images of before kept in named volumes: a project that has one keeps it, in the place of the files or inside them. */
const legacyTargets = ['/data', '/var/www/html/wp-content/uploads']

function mountsOf(facts: ContainerFacts): Pick<ContainerSpec, 'volumes' | 'binds'> {
  const { filesAt, volumes } = facts.imageSpec
  const named = (target: string) => ({ name: volumeName(facts.instanceId, facts.project.id, target), target })
  if (filesAt === undefined) return { volumes: volumes.map(named), binds: [] }
  const kept = legacyTargets
    .filter((target) => `${target}/`.startsWith(`${filesAt}/`))
    .map(named)
    .filter(({ name }) => facts.legacyVolumes.includes(name))
  const isReplaced = kept.some(({ target }) => target === filesAt)
  return { volumes: kept, binds: isReplaced ? [] : [{ source: facts.filesDirectory, target: filesAt }] }
}

const volumeName = (instanceId: string, projectId: string, target: string) =>
  `panel-${instanceId}-${projectId}${target.replace(/[^A-Za-z0-9]+/g, '-')}`
