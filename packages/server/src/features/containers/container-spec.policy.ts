import type { ProjectType } from '@panel/contract/projects'
import type { Config } from '../../config.ts'
import type { ImageSpec } from '../../db/schema.ts'
import type { ContainerSpec } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'

export interface ContainerFacts {
  instanceId: string
  networkName: string
  project: { id: string; name: string; type: ProjectType; port: number | null }
  deploymentId: string
  image: string
  imageSpec: ImageSpec
  uid: number
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
  config: Pick<Config, 'DEPLOY_MEMORY_LIMIT' | 'DEPLOY_CPU_LIMIT' | 'DEPLOY_PIDS_LIMIT'>,
  facts: ContainerFacts
): ContainerSpec {
  const port = containerPortOf(facts.project, facts.env, facts.imageSpec)
  const heapMegabytes = Math.max(32, Math.floor((config.DEPLOY_MEMORY_LIMIT / 2 ** 20) * 0.75))
  return {
    name: `panel-${facts.instanceId}-${facts.project.name}-${facts.deploymentId}`,
    image: facts.image,
    labels: {
      [label.instance]: facts.instanceId,
      [label.project]: facts.project.id,
      [label.deployment]: facts.deploymentId
    },
    env: {
      HOME: '/tmp',
      // Node's own default heap is larger than the container: it would be killed without a word.
      NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`,
      ...facts.env,
      PORT: String(port)
    },
    user: `${facts.uid}:${facts.uid}`,
    network: facts.networkName,
    address: facts.address,
    hostPort: facts.hostPort,
    containerPort: port,
    memoryBytes: config.DEPLOY_MEMORY_LIMIT,
    cpus: config.DEPLOY_CPU_LIMIT,
    pids: config.DEPLOY_PIDS_LIMIT,
    readOnlyRoot: facts.imageSpec.readOnlyRoot,
    volumes: facts.imageSpec.volumes.map((target) => ({
      name: volumeName(facts.instanceId, facts.project.id, target),
      target
    }))
  }
}

const volumeName = (instanceId: string, projectId: string, target: string) =>
  `panel-${instanceId}-${projectId}${target.replace(/[^A-Za-z0-9]+/g, '-')}`
