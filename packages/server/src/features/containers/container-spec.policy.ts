import type { ContainerSize } from '@panel/contract/project-sizes'
import type { ProjectType } from '@panel/contract/projects'
import type { Command } from '@panel/contract/runs'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import type { ContainerSpec } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import {
  type ContainerLimits,
  type DiskDefault,
  diskOfSize,
  limitsOfSize,
  type SizeDefaults
} from '../projects/size.policy.ts'
import { execLine } from '../../text/exec-line.ts'

export interface ContainerFacts {
  instanceId: string
  networkName: string
  /** Names of the account's sites, which point to this server. Without it the container has those that everybody gets. */
  hostsFile?: string
  project: {
    id: string
    name: string
    type: ProjectType
    port: number | null
    size: ContainerSize | null
    readOnlyRoot: boolean
    pageCache: boolean
    keepsFiles: boolean
  }
  deploymentId: string
  image: string
  imageSpec: ImageSpec
  uid: number
  filesDirectory: string
  /** Volumes of the project, with their directories on this machine. */
  mounts: readonly VolumeMount[]
  /** Named volumes of the engine, from before projects had directories. */
  legacyVolumes: readonly string[]
  env: Readonly<Record<string, string>>
  hostPort: number
  address: string
  /** 0 for the first or only one. */
  instance?: number
  /** Other containers of its network find it by the name of the project. */
  isReachable?: boolean
  /** Runs one command of the project instead of its site. */
  run?: { id: string; command: Command }
  /** Runs a worker of the project instead of its site. */
  worker?: WorkerFacts
}

export interface VolumeMount {
  id: string
  source: string
  target: string
}

/** Identifies the set of volumes that a container mounts. The path of a volume never changes. */
export const mountsKey = (mounts: readonly { id: string }[]): string =>
  mounts
    .map(({ id }) => id)
    .toSorted()
    .join(',')

export interface WorkerFacts {
  /** See `workerKey`. */
  key: string
  process: string
  instance: number
  revision: string
  command: string
  limits: Pick<ContainerLimits, 'memoryBytes' | 'cpus'>
}

/** The port inside the container: the project's, else the owner's $PORT, else the image's. */
export function containerPortOf(
  project: { port: number | null },
  env: Readonly<Record<string, string>>,
  spec: ImageSpec
): number {
  const fromEnv = /^[1-9]\d{0,4}$/.test(env.PORT ?? '') ? Number(env.PORT) : undefined
  return project.port ?? (fromEnv !== undefined && fromEnv <= 65535 ? fromEnv : spec.port)
}

/** Security boundary: nothing that grants privileges may come from user input. */
export function containerSpec(config: SizeDefaults & DiskDefault, facts: ContainerFacts): ContainerSpec {
  const port = containerPortOf(facts.project, facts.env, facts.imageSpec)
  const readOnlyRoot = facts.imageSpec.readOnlyRoot || facts.project.readOnlyRoot
  const { run, worker } = facts
  const limits = { ...limitsOfSize(config, facts.project.size), ...worker?.limits }
  const megabytes = Math.floor(limits.memoryBytes / 2 ** 20)
  const key = run?.id ?? worker?.key ?? facts.deploymentId
  return {
    // Only the id: containers on the same network can see each other's names.
    name: containerName(facts.instanceId, key, facts.instance),
    image: facts.image,
    labels: {
      [label.instance]: facts.instanceId,
      [label.project]: facts.project.id,
      [label.projectName]: facts.project.name,
      [label.deployment]: key,
      [label.account]: String(facts.uid),
      ...(facts.mounts.length > 0 && { [label.volumes]: mountsKey(facts.mounts) }),
      ...(run && { [label.run]: run.id }),
      ...(worker && { [label.process]: worker.process, [label.revision]: worker.revision })
    },
    env: {
      HOME: readOnlyRoot ? '/tmp' : (facts.imageSpec.home ?? '/tmp'),
      // Node's default heap limit exceeds the container's memory, so the OOM killer would end it without a message.
      NODE_OPTIONS: `--max-old-space-size=${Math.max(32, Math.floor(megabytes * 0.75))}`,
      ...phpMemory(megabytes),
      ...facts.env,
      PORT: String(port),
      // Ids increase: a program can tell which of two containers of its project is newer.
      PANEL_DEPLOYMENT: facts.deploymentId,
      ...(facts.project.pageCache && { PANEL_PAGE_CACHE: '1' }),
      ...(worker && { PANEL_PROCESS: `${worker.process}.${worker.instance}` })
    },
    account: facts.uid,
    user: `${facts.uid}:${facts.uid}`,
    network: facts.networkName,
    address: facts.address,
    ...(facts.isReachable === true && { alias: facts.project.name }),
    ...programOf(facts),
    containerPort: port,
    ...limits,
    readOnlyRoot,
    layerBytes: diskOfSize(config, facts.project.size),
    ...mountsOf(facts)
  }
}

/** Of a request, and of the opcode cache, in a container of this size. */
const phpMemory = (megabytes: number) =>
  megabytes < 320
    ? { PHP_MEMORY_LIMIT: `${Math.max(32, megabytes - 48)}M`, PHP_OPCACHE_MEMORY: '48' }
    : { PHP_MEMORY_LIMIT: `${megabytes - 128}M`, PHP_OPCACHE_MEMORY: '96' }

/**
 * Identifies an instance of a worker. The container is named after it, so that the engine refuses a second one, whatever
 * happens to the panel.
 */
export const workerKey = (projectId: string, process: string, instance: number) => `${projectId}-${process}-${instance}`

export const containerName = (instanceId: string, id: string, instance = 0) =>
  `panel-${instanceId}-${id}${instance === 0 ? '' : `-${instance + 1}`}`

function programOf({ run, worker, hostPort }: ContainerFacts): Pick<ContainerSpec, 'hostPort' | 'oneOff' | 'program'> {
  if (run) return { oneOff: argumentsOf(run.command) }
  return worker ? { program: argumentsOf(execLine(worker.command)) } : { hostPort }
}

/** A shell line is interpreted in the container only. */
const argumentsOf = (command: Command): readonly string[] =>
  typeof command === 'string' ? ['/bin/sh', '-c', command] : command

/** Volume paths of older images: existing volumes stay mounted, in place of the project directory or inside it. */
const legacyTargets = ['/data', '/var/www/html/wp-content/uploads']

function mountsOf(facts: ContainerFacts): Pick<ContainerSpec, 'volumes' | 'binds'> {
  const { filesAt, volumes, servesFiles, writesFiles } = facts.imageSpec
  const hosts = facts.hostsFile === undefined ? [] : [{ source: facts.hostsFile, target: '/etc/hosts', readOnly: true }]
  const named = (target: string) => ({ name: volumeName(facts.instanceId, facts.project.id, target), target })
  const mounted = facts.mounts.map(({ source, target }) => ({ source, target }))
  if (!facts.project.keepsFiles) return { volumes: [], binds: [...mounted, ...hosts] }
  if (filesAt === undefined) return { volumes: volumes.map(named), binds: [...mounted, ...hosts] }
  const kept = legacyTargets
    .filter((target) => `${target}/`.startsWith(`${filesAt}/`))
    .map(named)
    .filter(({ name }) => facts.legacyVolumes.includes(name))
  const isReplaced = kept.some(({ target }) => target === filesAt)
  const files = isReplaced
    ? []
    : [{ source: facts.filesDirectory, target: filesAt, ...(servesFiles && !writesFiles && { readOnly: true }) }]
  return { volumes: kept, binds: [...files, ...mounted, ...hosts] }
}

const volumeName = (instanceId: string, projectId: string, target: string) =>
  `panel-${instanceId}-${projectId}${target.replace(/[^A-Za-z0-9]+/g, '-')}`
