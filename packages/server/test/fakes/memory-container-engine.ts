import { once } from 'node:events'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import { unlessAborted } from '../../src/concurrency/time-limit.ts'
import { AdapterError } from '../../src/infra/adapter-error.ts'
import {
  type BuildOptions,
  type ContainerEngine,
  type ContainerSpec,
  type ContainerState,
  type ContainerSummary,
  type Endpoint,
  EngineError,
  type Executed,
  type ExecuteOptions,
  type FoundPage,
  type ImageLayer,
  type Labels,
  type ListeningPort,
  type NetworkState,
  type PageRequest,
  type PullOptions,
  type TerminalOptions
} from '../../src/infra/container-engine/container-engine.ts'
import { ownArchitecture } from '../../src/infra/image-builder/pulled-image.ts'
import { hasLabels, labelFilters } from '../../src/infra/container-engine/docker-labels.ts'
import { freeSubnets, networkPlan, parseSubnet, subnetsOverlap } from '../../src/net/ipv4-subnet.ts'
import { type MemoryImage, readAll, readChanges } from './memory-image.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

interface MemoryContainer {
  spec: ContainerSpec
  /** Writable: tests simulate crashes and OOM kills with it. */
  state: Mutable<ContainerState>
  imageId: string
  logs: string
  /** Writable: undefined if the container was detached from its network. */
  network: ContainerSummary['network']
  createdAt: Date
}

/** An in-memory engine that runs no processes; containers match their spec unless a test changes them. */
export interface MemoryContainerEngine extends ContainerEngine {
  /** Makes every call, or the named step, fail. */
  fail: 'unreachable' | 'build' | 'create' | 'start' | undefined
  buildLog: string
  readonly pulls: { reference: string; login: PullOptions['login'] }[]
  /** Awaited before a build ends, so that tests can hold it; aborts do not wait. */
  beforeBuildEnds: (options: BuildOptions) => Promise<void>
  write(id: string, text: string): void
  /** Simulates an OOM kill of a process in the container. */
  killForMemory(id: string): void
  readonly foreignPorts: Set<number>
  /** Status that running containers answer with; undefined if they do not speak HTTP. */
  status: number | undefined
  /** By container, where it differs from the port of its spec. */
  readonly listening: Map<string, readonly ListeningPort[]>
  /** Called for each started container. */
  afterStart: (container: MemoryContainer) => void | Promise<void>
  readonly containers: Map<string, MemoryContainer>
  readonly images: Map<string, MemoryImage>
  readonly networks: Map<string, NetworkState & { id: string; labels: Labels }>
  /** Subnets that this machine already routes elsewhere. */
  readonly foreignSubnets: Set<string>
  readonly volumes: Map<string, Labels>
  /** Tar of a directory of every image, by its path. */
  readonly imageFiles: Map<string, () => Readable>
  readonly written: Map<string, number>
  readonly filesMade: Map<string, number>
  readonly layers: Map<string, readonly ImageLayer[]>
  readonly cages: Set<number>
  /** What a program that is executed in a running container answers. */
  onExecute: (options: ExecuteOptions, containerId: string) => Promise<Executed>
  /** What a listening container answers to `readPage`. */
  onPage: (request: PageRequest) => FoundPage
  /** By id, also those that have ended. */
  readonly terminals: Map<string, MemoryTerminal>
}

export interface MemoryTerminal extends TerminalOptions {
  containerId: string
  isRunning: boolean
  exitCode: number | undefined
  /** The program's side: what it writes is output. It repeats its input unless a test changes that. */
  program: Duplex | undefined
}

/** The only Dockerfile instruction it understands is `RUN exit <n>`. */
export function createMemoryEngine(): MemoryContainerEngine {
  const containers: MemoryContainerEngine['containers'] = new Map()
  const images: MemoryContainerEngine['images'] = new Map()
  const networks: MemoryContainerEngine['networks'] = new Map()
  const volumes: MemoryContainerEngine['volumes'] = new Map()
  const imageFiles: MemoryContainerEngine['imageFiles'] = new Map()
  const cages: MemoryContainerEngine['cages'] = new Set()
  const listening: MemoryContainerEngine['listening'] = new Map()
  const written: MemoryContainerEngine['written'] = new Map()
  const filesMade: MemoryContainerEngine['filesMade'] = new Map()
  const layers: MemoryContainerEngine['layers'] = new Map()
  const foreignSubnets: MemoryContainerEngine['foreignSubnets'] = new Set()
  const foreignPorts: MemoryContainerEngine['foreignPorts'] = new Set()
  const terminals: MemoryContainerEngine['terminals'] = new Map()
  const readers = new Set<() => void>()
  const wakeReaders = () => {
    for (const wake of readers) wake()
    readers.clear()
  }
  const memoryWatchers = new Set<(id: string) => void>()
  const watchers = new Set<{ labels: Labels; onChange: () => void }>()
  let lastId = 0
  const nextId = () => (++lastId).toString(16).padStart(64, '0')

  const check = (step?: MemoryContainerEngine['fail']) => {
    if (engine.fail === 'unreachable') {
      throw new AdapterError('container-engine-unavailable', 'The container engine is not responding')
    }
    if (step !== undefined && engine.fail === step) throw new EngineError(`The engine refused to ${step}`, 500)
  }
  const findContainer = (id: string) =>
    containers.get(id) ?? [...containers.values()].find(({ spec }) => spec.name === id)
  const listTaken = () => [...foreignSubnets, ...[...networks.values()].map(({ subnet }) => subnet)]
  const getContainer = (id: string) => found(findContainer(id), `No such container: ${id}`)
  const findImage = (reference: string) =>
    images.get(reference) ?? [...images.values()].find(({ tags }) => tags.includes(withTag(reference)))

  const addImage = (reference: string, image: Omit<MemoryImage, 'id' | 'parentId' | 'tags' | 'createdAt'>) => {
    const tag = withTag(reference)
    for (const other of images.values()) other.tags = other.tags.filter((each) => each !== tag)
    const id = `sha256:${nextId()}`
    images.set(id, { ...image, id, parentId: undefined, tags: [tag], createdAt: new Date() })
    return id
  }
  const start = async (container: MemoryContainer) => {
    check('start')
    const { state, spec } = container
    Object.assign(state, { status: 'running', running: true, exitCode: 0, address: spec.address })
    state.startedAt = new Date().toISOString()
    notifyOwner(container)
    await engine.afterStart(container)
  }
  const notifyOwner = ({ state }: MemoryContainer) => {
    wakeReaders()
    for (const { labels, onChange } of watchers) if (hasLabels(state.labels, labels)) onChange()
  }
  const stop = (container: MemoryContainer) => {
    const { state } = container
    if (!state.running) return
    Object.assign(state, { status: 'exited', running: false, restarting: false, exitCode: 143, address: undefined })
    notifyOwner(container)
  }

  const isListening = ({ address, port }: Endpoint): boolean =>
    [...containers.values()].some(
      ({ spec, state }) =>
        state.running &&
        isAnswering(spec) &&
        spec.address === address &&
        spec.containerPort === port &&
        !listening.has(state.id)
    )

  const engine: MemoryContainerEngine = {
    fail: undefined,
    status: 404,
    pulls: [],
    buildLog: 'Step 1/1 : FROM scratch\n',
    beforeBuildEnds: async () => {},
    onExecute: async () => ({ exitCode: 127, stdout: '', stderr: 'no such program' }),
    onPage: () => ({ status: engine.status ?? 404, body: '' }),
    afterStart: () => {},
    write(id, text) {
      getContainer(id).logs += text
      wakeReaders()
    },
    killForMemory(id) {
      getContainer(id).state.outOfMemory = true
      for (const onKill of memoryWatchers) onKill(id)
    },
    foreignPorts,
    foreignSubnets,
    containers,
    images,
    networks,
    volumes,
    imageFiles,
    cages,
    listening,
    written,
    filesMade,
    layers,
    terminals,

    createTerminal: async (id, options) => {
      check()
      if (!getContainer(id).state.running) throw new EngineError(`container ${id} is not running`, 409)
      const terminalId = nextId()
      const unused = { isRunning: false, exitCode: undefined, program: undefined }
      terminals.set(terminalId, { ...options, ...unused, containerId: id })
      return terminalId
    },
    startTerminal: async (terminalId, size) => {
      check()
      const [client, program] = duplexPair()
      program.pipe(program)
      program.on('error', () => {})
      Object.assign(found(terminals.get(terminalId), 'No such exec'), { ...size, program, isRunning: true })
      return client
    },
    resizeTerminal: async (terminalId, size) => {
      check()
      Object.assign(found(terminals.get(terminalId), 'No such exec'), size)
    },
    endTerminal: async (terminalId) => {
      check()
      const terminal = terminals.get(terminalId)
      if (!terminal) return undefined
      terminal.isRunning = false
      terminal.program?.destroy()
      return terminal.exitCode
    },

    ping: async () => {
      check()
      return 'memory'
    },
    storageDirectory: async () => {
      check()
      return '/var/lib/memory-engine'
    },
    ensureNetwork: async (name, labels, options = {}) => {
      check()
      const existing = networks.get(name)
      if (existing) return withoutLabels(existing)
      const { bridge = `br-${nextId().slice(-12)}` } = options
      if ([...networks.values()].some((other) => other.bridge === bridge))
        throw new EngineError(`conflicts with another network: networks have same bridge name (${bridge})`, 403)
      const taken = listTaken().map((cidr) => parseSubnet(cidr)!)
      const given = options.subnet === undefined ? undefined : parseSubnet(options.subnet)!
      if (given && taken.some((other) => subnetsOverlap(given, other)))
        throw new EngineError(`${options.subnet} for the network ${name} is taken on this machine`, 409)
      const { subnet, gateway } = networkPlan(
        given ??
          freeSubnets(
            [...taken, ...(options.avoid ?? []).map((cidr) => parseSubnet(cidr)!)],
            options.prefixLength
          ).next().value!
      )
      networks.set(name, { id: nextId(), name, subnet, gateway, bridge, labels })
      return { name, subnet, gateway, bridge }
    },
    listNetworks: async (labels) => {
      check()
      labelFilters(labels)
      return [...networks.values()]
        .filter((network) => hasLabels(network.labels, labels))
        .map(({ id, name, labels, bridge }) => ({ id, name, labels, bridge }))
    },
    takenSubnets: async () => {
      check()
      return listTaken()
    },
    removeNetwork: async (name) => {
      check()
      const user = [...containers.values()].find(({ spec, state }) => spec.network === name && state.running)
      if (user) throw new EngineError(`network ${name} has active endpoints: ${user.spec.name}`, 403)
      networks.delete(name)
    },

    findBuilder: async () => ({ kind: 'classic', reason: 'OLD_ENGINE' }),
    defaultBridge: async () => 'docker0',
    listBuildCache: async () => [],
    pruneBuildCache: async () => 0,
    buildImage: async (context, options) => {
      const text = await readAll(context, options.signal)
      check('build')
      options.onLog(engine.buildLog)
      await unlessAborted(engine.beforeBuildEnds(options), options.signal)
      const code = /^RUN exit (\d+)$/m.exec(text)?.[1]
      if (code) throw new EngineError(`The command '/bin/sh -c exit ${code}' returned a non-zero code: ${code}`, 500)
      return addImage(options.tag, { labels: options.labels, sizeBytes: text.length, ...plainImage })
    },
    pullImage: async (reference, onLog, { login, signal } = {}) => {
      check()
      signal?.throwIfAborted()
      engine.pulls.push({ reference, login })
      onLog(`Pulling ${reference}\n`)
      addImage(reference, { labels: {}, sizeBytes: 0, ...plainImage, isLocal: false })
    },
    importImage: async (tar, reference, changes) => {
      const text = await readAll(tar)
      check()
      addImage(reference, { ...plainImage, ...readChanges(changes), sizeBytes: text.length })
    },
    readImage: async (reference, read) => {
      check()
      return read(Readable.from([JSON.stringify(found(findImage(reference), `No such image: ${reference}`))]))
    },
    loadImage: async (tar) => {
      const { tags, ...image } = JSON.parse(await readAll(tar)) as MemoryImage
      check()
      for (const tag of tags) addImage(tag, image)
    },
    findImage: async (reference) => {
      check()
      return findImage(reference)
    },
    imageLayers: async (reference) => {
      check()
      return layers.get(reference) ?? []
    },
    listImages: async (labels) => {
      check()
      labelFilters(labels)
      return [...images.values()].filter((image) => hasLabels(image.labels, labels))
    },
    listAllImages: async () => {
      check()
      const used = new Set([...containers.values()].map(({ imageId }) => imageId))
      return [...images.values()].map((image) => ({ ...image, isInUse: used.has(image.id) }))
    },
    removeImage: async (reference) => {
      check()
      const image = findImage(reference)
      if (!image) return
      const user = [...containers.values()].find(({ imageId }) => imageId === image.id)
      if (user) throw new EngineError(`The image is being used by container ${user.spec.name}`, 409)
      images.delete(image.id)
    },

    createContainer: async (spec) => {
      check('create')
      const image = found(findImage(spec.image), `No such image: ${spec.image}`)
      if (findContainer(spec.name)) throw new EngineError(`The name ${spec.name} is already in use`, 409)
      const network = found(networks.get(spec.network), `network ${spec.network} not found`)
      for (const { name } of spec.volumes) if (!volumes.has(name)) volumes.set(name, spec.labels)
      const id = nextId()
      const { id: networkId, name } = network
      containers.set(id, {
        spec,
        state: createdState(id, spec),
        imageId: image.id,
        logs: '',
        network: { id: networkId, name },
        createdAt: new Date()
      })
      return id
    },
    startContainer: async (id) => {
      check()
      const container = getContainer(id)
      if (!container.state.running) await start(container)
    },
    changeLimits: async (id, limits) => {
      check()
      const container = findContainer(id)
      if (!container) return
      Object.assign(container.spec, limits)
      container.state.memoryBytes = limits.memoryBytes
    },
    stopContainer: async (id) => {
      check()
      const container = findContainer(id)
      if (container) stop(container)
    },
    restartContainer: async (id) => {
      check()
      stop(getContainer(id))
      await start(getContainer(id))
    },
    removeContainer: async (id) => {
      check()
      const container = findContainer(id)
      if (!container) return
      containers.delete(container.state.id)
      notifyOwner(container)
    },
    findContainer: async (id) => {
      check()
      const container = findContainer(id)
      return container && { ...container.state }
    },
    listContainers: async (labels) => {
      check()
      labelFilters(labels)
      return [...containers.values()]
        .filter(({ state }) => hasLabels(state.labels, labels))
        .map(({ state: { id, name, labels, status, image, address }, network, createdAt }) => {
          return { id, name, labels, status, image, createdAt, address, network }
        })
    },
    listContainerSizes: async (labels) => {
      check()
      labelFilters(labels)
      const all = [...containers.values()].map(({ state }) => state)
      return all
        .filter((state) => hasLabels(state.labels, labels))
        .map((state) => ({ id: state.id, labels: state.labels, writtenBytes: written.get(state.id) ?? 0 }))
    },
    countContainerFiles: async (ids) => {
      check()
      return new Map(ids.filter((id) => containers.has(id)).map((id) => [id, filesMade.get(id) ?? 0]))
    },
    readFigures: async (ids) => {
      check()
      const running = ids.filter((id) => containers.get(id)?.state.running)
      const figures = { cpuSeconds: 1, memoryUsed: 2 ** 20, memoryLimit: 2 ** 26, network: { received: 10, sent: 20 } }
      return new Map(running.map((id) => [id, figures]))
    },
    cageAccounts: async (accounts) => {
      check()
      for (const account of accounts) cages.add(account)
    },
    watchContainers: async (labels, onChange, signal) => {
      check()
      labelFilters(labels)
      const watcher = { labels, onChange }
      watchers.add(watcher)
      onChange()
      if (!signal.aborted) await once(signal, 'abort')
      watchers.delete(watcher)
    },
    watchOutOfMemory: async (labels, onKill, signal) => {
      check()
      labelFilters(labels)
      memoryWatchers.add(onKill)
      if (!signal.aborted) await once(signal, 'abort')
      memoryWatchers.delete(onKill)
    },
    listListening: async (id) => {
      check()
      const container = findContainer(id)
      if (!container?.state.running) return undefined
      const own = isAnswering(container.spec) ? [{ port: container.spec.containerPort, isLocal: false }] : []
      return listening.get(container.state.id) ?? own
    },
    containerLogs: async (id, tail, since) => {
      check()
      const container = getContainer(id)
      // Its lines have no times: all are from its creation.
      if (since !== undefined && since > container.createdAt) return ''
      const lines = container.logs.split(/(?<=\n)/)
      return lines.slice(-tail).join('')
    },
    async *followLogs(id, { tail, after }, signal) {
      check()
      const container = getContainer(id)
      const linesOf = () => container.logs.split(/(?<=\n)/).filter((line) => line !== '')
      let next = after ? Number(after.time) + 1 : Math.max(0, linesOf().length - tail)
      while (!signal.aborted) {
        const lines = linesOf()
        for (; next < lines.length; next++) yield { text: lines[next]!, position: { time: String(next), count: 1 } }
        if (!container.state.running || !containers.has(container.state.id)) return
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve()
          signal.addEventListener('abort', () => resolve(), { once: true })
          readers.add(resolve)
        })
      }
    },

    isPortFree: async (port) => {
      const isPublished = [...containers.values()].some(({ spec, state }) => state.running && spec.hostPort === port)
      return !isPublished && !foreignPorts.has(port)
    },
    httpStatus: async (endpoint) => (isListening(endpoint) ? engine.status : undefined),
    acceptsConnections: async (endpoint) => isListening(endpoint),
    readPage: async (endpoint, request) => (isListening(endpoint) ? engine.onPage(request) : undefined),
    execute: async (id, options) => {
      check()
      if (!getContainer(id).state.running) throw new EngineError(`container ${id} is not running`, 409)
      return engine.onExecute(options, id)
    },

    readImageFiles: async ({ image, path }, read) => {
      check()
      found(findImage(image), `No such image: ${image}`)
      const tar = imageFiles.get(path)
      return tar === undefined ? undefined : read(tar())
    },
    listVolumes: async (labels) => {
      check()
      labelFilters(labels)
      return [...volumes].filter(([, found]) => hasLabels(found, labels)).map(([name]) => name)
    },
    removeVolume: async (name) => {
      check()
      const user = [...containers.values()].find(({ spec }) => spec.volumes.some((volume) => volume.name === name))
      if (user) throw new EngineError(`volume is in use by ${user.spec.name}`, 409)
      volumes.delete(name)
    }
  }
  return engine
}

/** Every command listens on its port, with one exception. */
const isAnswering = ({ command = [] }: ContainerSpec) => command[0] !== '/bin/sleep'

function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new EngineError(message, 404)
  return value
}

/** Adds a tag and removes the prefix that engines omit. */
function withTag(reference: string): string {
  const name = reference.replace(/^docker\.io\/(library\/)?/, '')
  return name.includes(':', name.lastIndexOf('/') + 1) ? name : `${name}:latest`
}

const plainImage = {
  architecture: ownArchitecture,
  exposedPorts: [],
  user: '',
  onBuild: false,
  isLocal: true,
  layers: []
}

const withoutLabels = ({ name, subnet, gateway, bridge }: NetworkState): NetworkState => ({
  name,
  subnet,
  gateway,
  bridge
})

const createdState = (id: string, spec: ContainerSpec): ContainerState => ({
  id,
  name: spec.name,
  labels: spec.labels,
  image: spec.image,
  status: 'created',
  running: false,
  restarting: false,
  restartCount: 0,
  exitCode: 0,
  outOfMemory: false,
  memoryBytes: spec.memoryBytes,
  address: undefined,
  startedAt: '0001-01-01T00:00:00Z'
})
