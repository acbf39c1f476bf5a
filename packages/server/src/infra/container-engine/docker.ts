import { lazy } from '../../concurrency/lazy.ts'
import { formatSubnet } from '../../net/ipv4-subnet.ts'
import { type Mount, mountOf } from '../disk/mount.policy.ts'
import type { Run } from '../process/process.ts'
import { run as runProcess } from '../process/run.ts'
import { findBuilder } from './buildkit.ts'
import { createBuildCacheCalls } from './docker-build-cache.ts'
import { type ContainerEngine, EngineError } from './container-engine.ts'
import type { EngineInfo, ListedVolumes } from './docker-answers.ts'
import {
  createEngineCall,
  defaultTimeLimits,
  type EngineSocket,
  ignoringStatuses,
  type TimeLimits
} from './docker-call.ts'
import { createContainerCalls } from './docker-containers.ts'
import { watchContainers, watchOutOfMemory } from './docker-events.ts'
import type { AccountCages } from './engine-cgroups.ts'
import { createImageCalls } from './docker-images.ts'
import { hasLabels, labelFilters } from './docker-labels.ts'
import { defaultBridge, ensureNetwork, listNetworks, takenSubnets } from './docker-network.ts'
import { createImageFileReader } from './docker-image-files.ts'
import { createExecuteCall } from './docker-execute.ts'
import { createTerminalCalls } from './docker-terminal.ts'
import { createEndpointCalls } from './endpoint-calls.ts'
import { type EngineHost, localHost } from './engine-host.ts'

interface DockerEngineOptions {
  socketPath: EngineSocket
  limits?: Partial<TimeLimits>
  /** See `createEngineCall`. Default: true. */
  isPatient?: boolean
  run?: Run
  /** The engine's machine. Default: this one. */
  host?: EngineHost
  findMount?: (path: string) => Promise<Mount | undefined>
  cgroupPrefix?: string
  /** For every build. Only arguments that the engine keeps out of the image history, such as HTTP_PROXY. */
  buildArguments?: Readonly<Record<string, string>>
  accountCages?: AccountCages
  /** Directories whose children containers may mount; absolute and normalized. Default: none. */
  bindRoots?: readonly string[]
}

export function createDockerEngine(options: DockerEngineOptions): ContainerEngine {
  const host = options.host ?? localHost
  const limits = { ...defaultTimeLimits, ...options.limits }
  const deps = {
    host,
    call: createEngineCall(options.socketPath, { isPatient: options.isPatient, pingMs: limits.short }),
    limits,
    run: options.run ?? runProcess,
    findMount: options.findMount ?? (async (path) => mountOf(await host.readFile('/proc/self/mountinfo'), path)),
    cgroupPrefix: options.cgroupPrefix ?? 'panelbuild',
    buildArguments: options.buildArguments ?? {},
    accountCages: options.accountCages,
    bindRoots: options.bindRoots ?? []
  }
  const { call } = deps
  const terminals = createTerminalCalls(deps)
  const builder = lazy(async () => findBuilder(await ping(), deps.run))
  const ping = async () =>
    (await call(deps.limits.short, (engine) => engine.ask<{ Version: string }>('GET', '/version'))).Version
  return {
    ping,
    storageDirectory: async () => {
      const info = await call(deps.limits.short, (engine) => engine.ask<EngineInfo>('GET', '/info'))
      return info.DockerRootDir ?? '/var/lib/docker'
    },
    ensureNetwork: (name, labels, options) => ensureNetwork(deps, name, labels, options),
    listNetworks: (labels) => listNetworks(deps, labels),
    takenSubnets: async () => (await takenSubnets(deps)).map(formatSubnet),
    removeNetwork: (name) =>
      ignoringStatuses(
        [404],
        call(deps.limits.long, (engine) => engine.ask('DELETE', `/networks/${checkedName(name)}`))
      ),
    ...createImageCalls({ ...deps, socketPath: options.socketPath, findBuilder: builder }),
    ...createBuildCacheCalls(deps),
    findBuilder: builder,
    defaultBridge: () => defaultBridge(deps),
    ...createContainerCalls(deps),
    readImageFiles: createImageFileReader(deps),
    ...terminals,
    ...createExecuteCall({ ...deps, endProcess: (id) => terminals.endTerminal(id) }),
    watchContainers: (labels, onChange, signal) => watchContainers(deps, labels, onChange, signal),
    watchOutOfMemory: (labels, onKill, signal) => watchOutOfMemory(deps, labels, onKill, signal),
    ...createEndpointCalls(deps.host),
    listVolumes: async (labels) => {
      const query = { filters: { label: labelFilters(labels) } }
      const { Volumes } = await call(deps.limits.ordinary, (engine) =>
        engine.ask<ListedVolumes>('GET', '/volumes', { query })
      )
      return (Volumes ?? []).filter((volume) => hasLabels(volume.Labels, labels)).map(({ Name }) => Name)
    },
    removeVolume: (name) =>
      ignoringStatuses(
        [404],
        call(deps.limits.long, (engine) => engine.ask('DELETE', `/volumes/${checkedName(name)}`))
      )
  }
}

function checkedName(name: string): string {
  if (!/^[a-zA-Z0-9][\w.-]*$/.test(name)) throw new EngineError(`Invalid name: ${name}`, 400)
  return name
}
