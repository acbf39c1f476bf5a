import { AdapterError } from '../adapter-error.ts'
import type { Readable } from 'node:stream'

export { untilDeadline } from './patience.ts'

/** Labels by which we find our own objects; see `labels.ts`. */
export type Labels = Readonly<Record<string, string>>

export interface ContainerSpec {
  name: string
  image: string
  labels: Labels
  /** Passed as JSON, so every byte but NUL arrives as it is. */
  env: Readonly<Record<string, string>>
  command?: readonly string[]
  /** Whose it is, for the cage of the account; the panel's own have none. */
  account?: number
  /** `uid:gid` the container runs as. */
  user: string
  network: string
  /** The container's address on `network`. */
  address: string
  /** Published on 127.0.0.1 only; without one the container is reached at its address alone. */
  hostPort?: number
  containerPort: number
  memoryBytes: number
  cpus: number
  pids: number
  /** What it may write to its own layer, where the engine's storage can hold it to that; it is refused what is more. */
  layerBytes?: number
  readOnlyRoot: boolean
  /**
   * Named volumes, created with `labels` when they are missing. A new one takes owner, mode and content of its target
   * directory in the image: that directory must exist there with mode 1777 or the right owner for `user` to write to it.
   */
  volumes: readonly { name: string; target: string }[]
  /**
   * Directories of the host: only those that lie directly below the one that the engine was made for, by whatever name or link. Creating
   * fails when one is not there. A target inside another's is mounted over it.
   */
  binds: readonly { source: string; target: string }[]
}

export interface ContainerState {
  id: string
  name: string
  labels: Labels
  image: string
  /** As the engine words it: created, running, restarting, exited, paused, dead. */
  status: string
  /** Also true while it restarts. */
  running: boolean
  restarting: boolean
  restartCount: number
  exitCode: number
  /** About its last end, also when the limit killed only a child: unknown before that, and still true after a restart. */
  outOfMemory: boolean
  /** Address on the proxy network; undefined while it does not run. */
  address: string | undefined
  startedAt: string
}

export interface ContainerSummary {
  id: string
  name: string
  labels: Labels
  status: string
  image: string
  createdAt: Date
  /** As in ContainerState. */
  address: string | undefined
  /** The network that it is attached to, also while it does not run: the id tells a network that was made anew. */
  network: { name: string; id: string } | undefined
}

export interface ImageSummary {
  id: string
  /** The image that it was made from by one step of a build, if the engine keeps that. */
  parentId: string | undefined
  tags: readonly string[]
  labels: Labels
  sizeBytes: number
  createdAt: Date
}

/** A layer of an image, and the step that made it. */
export interface ImageLayer {
  /** Of the image that ended with it; undefined of one that was pulled. */
  id: string | undefined
  createdBy: string
  sizeBytes: number
}

export interface ImageDetails extends ImageSummary {
  exposedPorts: readonly number[]
  user: string
  /** Whether it has instructions that a build from it would begin with. */
  onBuild: boolean
  /** Made on this engine, or loaded into it: no registry has named it. */
  isLocal: boolean
}

export interface BuildOptions {
  /** Path of the Dockerfile inside the context. */
  dockerfile: string
  /** Whether a stage begins from nothing: nothing is then reused where the engine would take layers of any image for it. */
  fromScratch?: boolean
  tag: string
  labels: Labels
  /** The network of its steps, of which they are the only user; default: the engine's own bridge. */
  network?: string
  /** As of a container. */
  account?: number | undefined
  memoryBytes: number
  /** Cores. */
  cpus: number
  pids: number
  signal: AbortSignal
  onLog: (text: string) => void
}

export interface NetworkOptions {
  /** CIDR. Refused with EngineError where this machine routes it or another network has it. Default: a free one. */
  subnet?: string
  /**
   * Length of the subnet's prefix; default 20. Of a /20 the gateway is the first address and the last /24 is the engine's; the
   * addresses between are the panel's to give. A /28 is the engine's but for the gateway.
   */
  prefixLength?: 20 | 28
  /** CIDRs that a chosen subnet keeps out of, also where they are free: somebody else gives them out. */
  avoid?: readonly string[]
  /** Of the bridge on the host, by which a firewall knows it: at most 15 characters, unique on the machine. Default: the engine's choice. */
  bridge?: string
}

export interface NetworkState {
  name: string
  /** CIDR, for example 172.28.0.0/20. */
  subnet: string
  gateway: string
  /** Name of its bridge on the host. */
  bridge: string
}

export interface NetworkSummary {
  id: string
  name: string
  labels: Labels
  bridge: string
}

/** Where a reader of a container's log is: the engine's time of the last piece that he has, and how many he has with that time. */
export interface LogPosition {
  time: string
  count: number
}

/** From where a log is followed: its last lines, or what comes after a position. */
export interface LogStart {
  tail: number
  after?: LogPosition | undefined
}

export interface LogChunk {
  text: string
  position: LogPosition
}

/** What a container uses; its counters are since its start. */
export interface ContainerFigures {
  cpuSeconds: number | undefined
  memoryUsed: number | undefined
  memoryLimit: number | undefined
  network: { received: number; sent: number } | undefined
}

/** Where a program in a container listens, as the engine's machine reaches it. */
export interface Endpoint {
  address: string
  port: number
}

/**
 * The container engine in our words. Every call has a time limit of its own and rejects with AdapterError
 * container-engine-unavailable when the engine cannot be reached or does not answer; other engine errors are EngineError.
 */
export interface ContainerEngine {
  /** Version of the engine. */
  ping(): Promise<string>
  /** Directory on the host that holds images, containers and volumes. */
  storageDirectory(): Promise<string>

  /** Finds the network, with whatever subnet it has, or creates it, isolated so that its containers cannot reach each other. */
  ensureNetwork(name: string, labels: Labels, options?: NetworkOptions): Promise<NetworkState>
  listNetworks(labels: Labels): Promise<readonly NetworkSummary[]>
  /** CIDR of everything that this machine routes or that a network of the engine has, whoever made it. */
  takenSubnets(): Promise<readonly string[]>
  /** Resolves also when it is gone; refuses with EngineError while a container is on it. */
  removeNetwork(name: string): Promise<void>

  /**
   * Builds from a tar stream, never pulls what is there, and resolves with the image id. Rejects with EngineError carrying
   * the failing step, with the error of the stream, or on abort with the reason of the signal. Aborting leaves no process
   * behind. What a failed build leaves is found by the labels of the Dockerfile only: the labels here are its last step.
   */
  buildImage(context: Readable, options: BuildOptions): Promise<string>
  pullImage(reference: string, onLog: (text: string) => void): Promise<void>
  /** Imports a root file system from a tar stream as `reference`. */
  importImage(tar: Readable, reference: string, changes: readonly string[]): Promise<void>
  findImage(reference: string): Promise<ImageDetails | undefined>
  /** From the newest to the oldest; none where it is gone. */
  imageLayers(reference: string): Promise<readonly ImageLayer[]>
  listImages(labels: Labels): Promise<readonly ImageSummary[]>
  /** Resolves also when the image is gone already; refuses with EngineError one that a container uses. */
  removeImage(reference: string): Promise<void>

  /** Creates without starting; never pulls. */
  createContainer(spec: ContainerSpec): Promise<string>
  startContainer(id: string): Promise<void>
  /** SIGTERM, then SIGKILL after the grace period. Resolves also when it does not run. */
  stopContainer(id: string, graceSeconds: number): Promise<void>
  restartContainer(id: string, graceSeconds: number): Promise<void>
  /** With force and its anonymous volumes. Resolves also when it is gone. */
  removeContainer(id: string): Promise<void>
  /** Gives the cages of these accounts their limits again: after a restart of the machine, the engine has made them without. */
  cageAccounts(accounts: readonly number[]): Promise<void>
  findContainer(id: string): Promise<ContainerState | undefined>
  listContainers(labels: Labels): Promise<readonly ContainerSummary[]>
  /** With the bytes that each has written to its own layer. The engine walks all of them: for a job, not for a request. */
  listContainerSizes(labels: Labels): Promise<readonly { id: string; labels: Labels; writtenBytes: number }[]>
  /**
   * What each of these has made in its own layer: files, directories and all else that takes an inode, also where it is empty. They are
   * walked: for a job. Those that are gone, cannot be counted in some time, or whose layer the engine does not show, are left out.
   */
  countContainerFiles(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Of those of these that run. It takes ten seconds at most: what does not come by then is left out. */
  readFigures(ids: readonly string[]): Promise<ReadonlyMap<string, ContainerFigures>>
  /**
   * Calls `onChange` once it listens, and then whenever a container with these labels starts, ends, pauses or goes, until `signal` fires.
   * Rejects when the connection ends: what happens from then on is not known.
   */
  watchContainers(labels: Labels, onChange: () => void, signal: AbortSignal): Promise<void>
  /** The last lines of stdout and stderr, in order, bounded to 1 MiB. */
  containerLogs(id: string, tail: number): Promise<string>
  /**
   * Stdout and stderr as they come, in order, in chunks of about 64 KiB at most, colours kept; no faster than they are read. Ends when the
   * container has ended, or `signal` fires. What the engine has dropped of its file (it keeps 30 MB) before it was read is left out.
   */
  followLogs(id: string, start: LogStart, signal: AbortSignal): AsyncIterable<LogChunk>

  /** Whether nothing on the engine's machine holds this port, so that a container can be published on it. */
  isPortFree(port: number): Promise<boolean>
  /**
   * Whether the endpoint answers HTTP to the engine's machine: any status will do, but a byte must come. An accepted connection proves
   * nothing, since the engine's own proxy accepts for a program that does not listen yet. False too when the time is over or the
   * signal fires; never rejects.
   */
  answersHttp(endpoint: Endpoint, options: { timeoutMs: number; signal: AbortSignal }): Promise<boolean>

  listVolumes(labels: Labels): Promise<readonly string[]>
  removeVolume(name: string): Promise<void>
}

/** The engine answered with an error. `status` is its HTTP status, `message` its own text. */
export class EngineError extends AdapterError {
  readonly status: number

  constructor(message: string, status: number, options?: ErrorOptions) {
    super('container-engine-refused', message, options)
    this.name = 'EngineError'
    this.status = status
  }
}
