import { AdapterError } from '../adapter-error.ts'
import type { Duplex, Readable } from 'node:stream'
import type {
  BuildCacheRecord,
  BuildOptions,
  Builder,
  ImageDetails,
  ImageLayer,
  ImageSummary,
  PullOptions,
  UsedImage
} from './engine-images.ts'
import type { Executed, ExecuteOptions, FoundPage, HttpProbe, PageRequest } from './engine-requests.ts'

export { untilDeadline } from './patience.ts'

export type * from './engine-images.ts'
export type * from './engine-requests.ts'

export type Labels = Readonly<Record<string, string>>

export interface ContainerSpec {
  name: string
  image: string
  labels: Labels
  /** Passed as JSON: any byte but NUL. */
  env: Readonly<Record<string, string>>
  command?: readonly string[]
  /** Runs these arguments instead of the image's entrypoint and command. */
  program?: readonly string[]
  /** Like `program`, once: the engine does not restart it. */
  oneOff?: readonly string[]
  /** uid of the account, for its cgroup; undefined for the panel's own containers. */
  account?: number
  user: string
  network: string
  address: string
  /** Name under which other containers of its network find it. */
  alias?: string
  /** Published on 127.0.0.1 only, or where the panel reaches another machine. Without it the container is only reachable at its address. */
  hostPort?: number
  containerPort: number
  memoryBytes: number
  cpus: number
  pids: number
  /** Limit of the container's writable layer in bytes, if the engine's storage driver supports it. */
  layerBytes?: number
  readOnlyRoot: boolean
  /**
   * Named volumes, created with `labels` if missing. A new volume takes owner, mode and content of its target directory
   * in the image: for `user` to write to it, that directory must exist with mode 1777 or the right owner.
   */
  volumes: readonly { name: string; target: string }[]
  /** Host directories and files directly below one of the engine's `bindRoots`. Rejects if one is missing. */
  binds: readonly { source: string; target: string; readOnly?: boolean }[]
}

export interface ImageFilesOptions {
  image: string
  path: string
  /** Of the container that is created for it. One that an earlier call left behind is removed first. */
  name: string
  labels: Labels
}

/** The part of a spec that can change while the container exists. */
export type ContainerLimits = Pick<ContainerSpec, 'memoryBytes' | 'cpus' | 'pids'>

export interface ContainerState {
  id: string
  name: string
  labels: Labels
  image: string
  /** Docker's value: created, running, restarting, exited, paused, dead. */
  status: string
  running: boolean
  restarting: boolean
  restartCount: number
  exitCode: number
  /** Whether the last exit involved an OOM kill, also of a child process only. Stays true after a restart. */
  outOfMemory: boolean
  memoryBytes: number
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
  address: string | undefined
  /** Attached network, also while not running. The id identifies a network that was recreated under the same name. */
  network: { name: string; id: string } | undefined
}

export interface NetworkOptions {
  /** CIDR. Rejects with EngineError if the machine routes it or another network uses it. Default: a free one. */
  subnet?: string
  /**
   * Prefix length of the subnet; default 20. In a /20 the first address is the gateway, the last /24 belongs to the
   * engine, and the panel assigns the addresses between. In a /28 the engine assigns everything but the gateway.
   */
  prefixLength?: 20 | 28
  avoid?: readonly string[]
  /** Bridge name on the host, for firewall rules: at most 15 characters, unique. Default: the engine's choice. */
  bridge?: string
  /** Whether its containers may reach each other, as far as the host firewall allows it. */
  isOpen?: boolean
}

export interface NetworkState {
  name: string
  subnet: string
  gateway: string
  bridge: string
}

export interface NetworkSummary {
  id: string
  name: string
  labels: Labels
  bridge: string
}

/** Position of a log reader: the engine's timestamp of the last chunk read and the number of chunks read with it. */
export interface LogPosition {
  time: string
  count: number
}

export interface LogStart {
  tail: number
  after?: LogPosition | undefined
}

export interface LogChunk {
  text: string
  position: LogPosition
}

export interface ContainerFigures {
  cpuSeconds: number | undefined
  memoryUsed: number | undefined
  memoryLimit: number | undefined
  network: { received: number; sent: number } | undefined
}

export interface ListeningPort {
  port: number
  /** Bound to loopback, so that nothing outside the container reaches it. */
  isLocal: boolean
}

export interface Endpoint {
  address: string
  port: number
}

export interface TerminalSize {
  columns: number
  rows: number
}

export interface TerminalOptions extends TerminalSize {
  command: readonly string[]
  env: Readonly<Record<string, string>>
}

/** Every call has a time limit. Rejects with AdapterError container-engine-unavailable or EngineError. */
export interface ContainerEngine {
  ping(): Promise<string>
  storageDirectory(): Promise<string>

  /** Finds the network (with whatever subnet it has) or creates it with inter-container communication disabled. */
  ensureNetwork(name: string, labels: Labels, options?: NetworkOptions): Promise<NetworkState>
  listNetworks(labels: Labels): Promise<readonly NetworkSummary[]>
  /** CIDRs of everything this machine routes and of every engine network. */
  takenSubnets(): Promise<readonly string[]>
  /** Resolves if it does not exist. Rejects with EngineError while a container is attached. */
  removeNetwork(name: string): Promise<void>

  /** Found once, so that it does not change while this process runs. */
  findBuilder(): Promise<Builder>
  /** Bridge of the engine's default network, which BuildKit's steps are on. */
  defaultBridge(): Promise<string>
  /** BuildKit's cache, of all accounts. The classic builder's is images. */
  listBuildCache(): Promise<readonly BuildCacheRecord[]>
  /** Removes what was last used before `before`, or the oldest until `keepBytes` are left. Resolves with the bytes freed. */
  pruneBuildCache(what: { before: Date } | { keepBytes: number }): Promise<number>

  /**
   * Builds from a tar stream and resolves with the image id. Never pulls an image that exists locally. Rejects with
   * EngineError naming the failing step, with the stream's error, or on abort with the signal's reason; aborting leaves
   * no process behind. Leftovers of a failed build carry only the Dockerfile's labels: `labels` are added in the last
   * step.
   */
  buildImage(context: Readable, options: BuildOptions): Promise<string>
  /** Aborting ends the pull. */
  pullImage(reference: string, onLog: (text: string) => void, options?: PullOptions): Promise<void>
  importImage(tar: Readable, reference: string, changes: readonly string[]): Promise<void>
  /**
   * The image with its tag as tar, for `loadImage` of another engine, without its lowest `leaveOut` layers if that engine has
   * them below another image. Rejects with EngineError 404 if there is none.
   */
  readImage<T>(reference: string, read: (tar: Readable) => Promise<T>, leaveOut?: number): Promise<T>
  /** Rejects with EngineError if a layer is neither in the tar nor here. */
  loadImage(tar: Readable): Promise<void>
  findImage(reference: string): Promise<ImageDetails | undefined>
  imageLayers(reference: string): Promise<readonly ImageLayer[]>
  /**
   * Streams a file or directory of an image as tar, below its last name. Undefined if the image has no such path. No
   * program of the image runs.
   */
  readImageFiles<T>(options: ImageFilesOptions, read: (tar: Readable) => Promise<T>): Promise<T | undefined>
  listImages(labels: Labels): Promise<readonly ImageSummary[]>
  /** Those of other tools too, to show what takes the room. */
  listAllImages(): Promise<readonly UsedImage[]>
  /** Resolves if it does not exist. Rejects with EngineError while a container uses it. */
  removeImage(reference: string): Promise<void>

  createContainer(spec: ContainerSpec): Promise<string>
  startContainer(id: string): Promise<void>
  /** For a container that does not run: lowering the memory of a running one can kill it. Resolves if it does not exist. */
  changeLimits(id: string, limits: ContainerLimits): Promise<void>
  /** SIGTERM, then SIGKILL after the grace period. Resolves if it is not running. */
  stopContainer(id: string, graceSeconds: number): Promise<void>
  restartContainer(id: string, graceSeconds: number): Promise<void>
  /** Force-removes it with its anonymous volumes. Resolves if it does not exist. */
  removeContainer(id: string): Promise<void>
  /** Restores the cgroup limits of these accounts: after a reboot the engine recreates the cgroups without limits. */
  cageAccounts(accounts: readonly number[]): Promise<void>
  findContainer(id: string): Promise<ContainerState | undefined>
  listContainers(labels: Labels): Promise<readonly ContainerSummary[]>
  listContainerSizes(labels: Labels): Promise<readonly { id: string; labels: Labels; writtenBytes: number }[]>
  /** Inodes per writable layer, for background jobs (walks the files). Leaves out what cannot be counted. */
  countContainerFiles(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Usage of the running ones. Takes at most ten seconds; leaves out what does not arrive in time. */
  readFigures(ids: readonly string[]): Promise<ReadonlyMap<string, ContainerFigures>>
  /** Calls `onChange` once it listens and at each change. Rejects when the connection ends: events are lost. */
  watchContainers(labels: Labels, onChange: () => void, signal: AbortSignal): Promise<void>
  /** Calls `onKill` with the container id whenever one ran out of memory. Rejects when the connection ends. */
  watchOutOfMemory(labels: Labels, onKill: (id: string) => void, signal: AbortSignal): Promise<void>
  /** TCP ports that its processes listen on; undefined if it is not running, or this process may not look. */
  listListening(id: string): Promise<readonly ListeningPort[] | undefined>
  containerLogs(id: string, tail: number, since?: Date): Promise<string>
  /**
   * Streams stdout and stderr in order, in chunks of about 64 KiB, with colours, at the reader's pace. Ends with the
   * container or when `signal` aborts. Output that the engine rotates away (it keeps 30 MB) before it is read is lost.
   */
  followLogs(id: string, start: LogStart, signal: AbortSignal): AsyncIterable<LogChunk>

  /**
   * Prepares a process with a terminal in a running container, as the container's user, and resolves with its id.
   * Rejects with EngineError 404 or 409 if the container is gone or does not run.
   */
  createTerminal(id: string, options: TerminalOptions): Promise<string>
  /** Starts it. The stream is the terminal, at the reader's pace; its end does not end the process. */
  startTerminal(terminalId: string, size: TerminalSize): Promise<Duplex>
  resizeTerminal(terminalId: string, size: TerminalSize): Promise<void>
  /**
   * Ends every process of the terminal's session and resolves with the exit status of the first; undefined if it was
   * killed or is unknown. Idempotent.
   */
  endTerminal(terminalId: string): Promise<number | undefined>

  /**
   * Runs a program in a running container, as the container's user, and ends its other processes. Rejects with EngineError 404
   * or 409 if the container is gone or does not run, and with container-engine-refused above the limits.
   */
  execute(id: string, options: ExecuteOptions): Promise<Executed>

  isPortFree(port: number): Promise<boolean>
  /**
   * Status of the response to a GET request, once its head has arrived: the engine's proxy accepts connections before the
   * program listens. Undefined without a response in time. Never rejects.
   */
  httpStatus(endpoint: Endpoint, options: HttpProbe): Promise<number | undefined>
  /** The response to a GET request, as from the proxy; redirects are not followed. Undefined without a whole one in time. Never rejects. */
  readPage(endpoint: Endpoint, request: PageRequest): Promise<FoundPage | undefined>
  /** Whether a program listens there. Only for the address of a container: published ports always accept. Never rejects. */
  acceptsConnections(endpoint: Endpoint, options: Pick<HttpProbe, 'timeoutMs' | 'signal'>): Promise<boolean>

  listVolumes(labels: Labels): Promise<readonly string[]>
  removeVolume(name: string): Promise<void>
}

/** Error response of the engine: `status` is the HTTP status, `message` the engine's text. */
export class EngineError extends AdapterError {
  readonly status: number

  constructor(message: string, status: number, options?: ErrorOptions) {
    super('container-engine-refused', message, options)
    this.name = 'EngineError'
    this.status = status
  }
}
