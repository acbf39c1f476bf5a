import { setTimeout as sleep } from 'node:timers/promises'
import { type ContainerEngine, type ContainerState, type ContainerSummary, EngineError } from './container-engine.ts'
import type { EngineInfo, InspectedContainer, ListedContainer } from './docker-answers.ts'
import { type EngineCall, ignoringStatuses, type TimeLimits, unlessMissing } from './docker-call.ts'
import type { EngineConnection } from './docker-connection.ts'
import { containerCreateBody, resourceLimits } from './docker-container-spec.ts'
import { type AccountCages, engineCgroups, ensureAccountCgroup } from './engine-cgroups.ts'
import type { Run } from '../process/process.ts'
import { createFiguresReader } from './docker-figures.ts'
import { readListening } from './docker-listening.ts'
import type { EngineHost } from './engine-host.ts'
import { hasLabels, labelFilters } from './docker-labels.ts'
import { createFileCounter } from './docker-layer-files.ts'
import { followLogs } from './docker-log-follow.ts'
import { createLogCollector } from './docker-logs.ts'
import { canLimitLayers } from './docker-storage.policy.ts'
import type { Mount } from '../disk/mount.policy.ts'

// 10,000 lines of 100 characters. Cleaning more would block other requests.
const maxLogBytes = 1024 * 1024

type ContainerCalls = Pick<
  ContainerEngine,
  | 'createContainer'
  | 'startContainer'
  | 'changeLimits'
  | 'stopContainer'
  | 'restartContainer'
  | 'removeContainer'
  | 'findContainer'
  | 'cageAccounts'
  | 'listContainers'
  | 'listContainerSizes'
  | 'countContainerFiles'
  | 'readFigures'
  | 'listListening'
  | 'containerLogs'
  | 'followLogs'
>

export function createContainerCalls({
  call,
  limits,
  bindRoots,
  accountCages,
  findMount,
  host,
  run
}: {
  call: EngineCall
  limits: TimeLimits
  bindRoots: readonly string[]
  accountCages: AccountCages | undefined
  findMount: (path: string) => Promise<Mount | undefined>
  host: Pick<EngineHost, 'publishAddress' | 'readFile' | 'run'>
  run: Run
}): ContainerCalls {
  const readInfo = () => call(limits.short, (engine) => engine.ask<EngineInfo>('GET', '/info'))
  const ensureCages = async (info: EngineInfo, accounts: readonly (number | undefined)[]) => {
    const cgroups = engineCgroups(info, run)
    const cages = []
    for (const account of accounts) cages.push(await ensureAccountCgroup(cgroups, accountCages, account))
    return cages
  }
  const storageLimit = async (info: EngineInfo, layerBytes: number) => {
    const mount = await findMount(info.DockerRootDir ?? '/var/lib/docker')
    return canLimitLayers(info, mount) ? { StorageOpt: { size: String(layerBytes) } } : undefined
  }
  const inspect = (id: string) =>
    unlessMissing(
      call(limits.ordinary, (engine) => engine.ask<InspectedContainer>('GET', `/containers/${checkedId(id)}/json`))
    )
  return {
    createContainer: async (spec) => {
      const info = await readInfo()
      const isCaged = accountCages !== undefined && spec.account !== undefined
      const [found] = isCaged ? await ensureCages(info, [spec.account]) : []
      const query = { name: checkedId(spec.name) }
      const publishAddress = await host.publishAddress()
      const create = async (storage: { StorageOpt?: { size: string } }) => {
        const body = containerCreateBody(spec, {
          publishAddress,
          bindRoots,
          cgroupParent: found,
          storage,
          cpus: info.NCPU
        })
        return call(limits.long, (engine) => engine.ask<{ Id: string }>('POST', '/containers/create', { query, body }))
      }
      const storage = spec.layerBytes === undefined ? undefined : await storageLimit(info, spec.layerBytes)
      if (storage === undefined) return (await create({})).Id
      // The mount has quotas but the engine may be unable to use them.
      const { Id } = await create(storage).catch((error: unknown) => {
        if (error instanceof EngineError && /storage-opt/i.test(error.message)) return create({})
        throw error
      })
      return Id
    },
    startContainer: (id) =>
      ignoringStatuses(
        [304],
        call(limits.long, (engine) => engine.ask('POST', `/containers/${checkedId(id)}/start`))
      ),
    changeLimits: async (id, changed) => {
      const body = resourceLimits(changed, (await readInfo()).NCPU)
      await ignoringStatuses(
        [404],
        call(limits.ordinary, (engine) => engine.ask('POST', `/containers/${checkedId(id)}/update`, { body }))
      )
    },
    stopContainer: (id, graceSeconds) =>
      ignoringStatuses(
        [304, 404],
        call(graceSeconds * 1000 + limits.long, (engine) =>
          engine.ask('POST', `/containers/${checkedId(id)}/stop`, { query: { t: graceSeconds } })
        )
      ),
    restartContainer: async (id, graceSeconds) => {
      await call(graceSeconds * 1000 + limits.long, (engine) =>
        engine.ask('POST', `/containers/${checkedId(id)}/restart`, { query: { t: graceSeconds } })
      )
    },
    removeContainer: async (id) => {
      const removal = call(limits.long, (engine) =>
        engine.ask('DELETE', `/containers/${checkedId(id)}`, { query: { force: true, v: true } })
      )
      await ignoringStatuses([404, 409], removal)
      // 409 "removal already in progress": another call removes it; wait for its end.
      const deadline = Date.now() + limits.long
      while ((await inspect(id)) !== undefined) {
        if (Date.now() > deadline) throw new EngineError(`Container ${id} could not be removed`, 409)
        await sleep(100)
      }
    },
    cageAccounts: async (accounts) => void (await ensureCages(await readInfo(), accounts)),
    findContainer: async (id) => {
      const found = await inspect(id)
      return found && stateOf(found)
    },
    listContainers: async (labels) => {
      const query = { all: true, filters: { label: labelFilters(labels) } }
      const listed = await call(limits.ordinary, (engine) =>
        engine.ask<ListedContainer[]>('GET', '/containers/json', { query })
      )
      return listed
        .filter((container) => hasLabels(container.Labels, labels))
        .map(({ Id, Names, Labels, State, Image, Created, NetworkSettings }) => ({
          id: Id,
          name: plainName(Names[0] ?? ''),
          labels: Labels,
          status: State,
          image: Image,
          createdAt: new Date(Created * 1000),
          address: addressIn(NetworkSettings),
          network: networkIn(NetworkSettings)
        }))
    },
    listContainerSizes: async (labels) => {
      const query = { all: true, size: true, filters: { label: labelFilters(labels) } }
      const listed = await call(limits.long, (engine) =>
        engine.ask<ListedContainer[]>('GET', '/containers/json', { query })
      )
      return listed
        .filter((container) => hasLabels(container.Labels, labels))
        .map(({ Id, Labels, SizeRw }) => ({ id: Id, labels: Labels, writtenBytes: SizeRw ?? 0 }))
    },
    countContainerFiles: createFileCounter({ call, limits, run: host.run }),
    readFigures: createFiguresReader({ call, limits }),
    listListening: async (id) => {
      const { State: state } = (await inspect(id)) ?? {}
      return state?.Running ? readListening(host, state.Pid) : undefined
    },
    containerLogs: (id, tail, since) => call(limits.ordinary, (engine) => readLogs(engine, checkedId(id), tail, since)),
    followLogs: (id, start, signal) => followLogs({ call, limits }, checkedId(id), start, signal)
  }
}

async function readLogs(engine: EngineConnection, id: string, tail: number, since?: Date): Promise<string> {
  const from = since === undefined ? {} : { since: (since.getTime() / 1000).toFixed(3) }
  const query = { stdout: true, stderr: true, tail, ...from }
  const stream = await engine.open('GET', `/containers/${id}/logs`, { query })
  const collector = createLogCollector(maxLogBytes)
  for await (const chunk of stream as AsyncIterable<Buffer>) collector.write(chunk)
  return collector.text(tail)
}

function addressIn({ Networks }: InspectedContainer['NetworkSettings']): string | undefined {
  const [network] = Object.values(Networks)
  return network?.IPAddress || undefined
}

function networkIn({ Networks }: ListedContainer['NetworkSettings']): ContainerSummary['network'] {
  const [found] = Object.entries(Networks)
  return found && { name: found[0], id: found[1].NetworkID }
}

const plainName = (name: string): string => name.replace(/^\//, '')

function checkedId(id: string): string {
  if (!/^[a-zA-Z0-9][\w.-]*$/.test(id)) throw new EngineError(`No such container: ${id}`, 404)
  return id
}

function stateOf(found: InspectedContainer): ContainerState {
  return {
    id: found.Id,
    name: plainName(found.Name),
    labels: found.Config.Labels,
    image: found.Config.Image,
    status: found.State.Status,
    running: found.State.Running,
    restarting: found.State.Restarting,
    restartCount: found.RestartCount,
    exitCode: found.State.ExitCode,
    outOfMemory: found.State.OOMKilled,
    memoryBytes: found.HostConfig.Memory ?? 0,
    address: addressIn(found.NetworkSettings),
    startedAt: found.State.StartedAt
  }
}
