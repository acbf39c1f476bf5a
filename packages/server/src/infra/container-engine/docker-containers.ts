import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { ContainerInspectInfo } from 'dockerode'
import { type ContainerEngine, type ContainerState, EngineError } from './container-engine.ts'
import { type EngineCall, settling, type TimeLimits, unlessMissing } from './docker-call.ts'
import { containerCreateBody } from './docker-container-spec.ts'
import { hasLabels, labelFilters } from './docker-labels.ts'
import { createLogCollector } from './docker-logs.ts'

const maxLogBytes = 4 * 1024 * 1024

type ContainerCalls = Pick<
  ContainerEngine,
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'restartContainer'
  | 'removeContainer'
  | 'findContainer'
  | 'listContainers'
  | 'containerLogs'
>

/** The container part of the engine. */
export function createContainerCalls({
  call,
  limits,
  bindRoot
}: {
  call: EngineCall
  limits: TimeLimits
  bindRoot: string | undefined
}): ContainerCalls {
  const inspect = (id: string) =>
    unlessMissing(call(limits.ordinary, (docker) => docker.getContainer(checkedId(id)).inspect()))
  return {
    createContainer: async (spec) => {
      const body = containerCreateBody(spec, bindRoot)
      return call(limits.long, (docker) => postCreate(docker, checkedId(spec.name), body))
    },
    startContainer: (id) =>
      settling(
        [304],
        call(limits.long, (docker) => docker.getContainer(checkedId(id)).start())
      ),
    stopContainer: (id, graceSeconds) =>
      settling(
        [304, 404],
        call(graceSeconds * 1000 + limits.long, (docker) =>
          docker.getContainer(checkedId(id)).stop({ t: graceSeconds })
        )
      ),
    restartContainer: async (id, graceSeconds) => {
      await call(graceSeconds * 1000 + limits.long, (docker) =>
        docker.getContainer(checkedId(id)).restart({ t: graceSeconds })
      )
    },
    removeContainer: async (id) => {
      const removal = call(limits.long, (docker) => docker.getContainer(checkedId(id)).remove({ force: true, v: true }))
      await settling([404, 409], removal)
      // 409 is "removal is already in progress": somebody else's call, whose end is awaited here.
      const deadline = Date.now() + limits.long
      while ((await inspect(id)) !== undefined) {
        if (Date.now() > deadline) throw new EngineError(`Container ${id} could not be removed`, 409)
        await sleep(100)
      }
    },
    findContainer: async (id) => {
      const found = await inspect(id)
      return found && stateOf(found)
    },
    listContainers: async (labels) => {
      const filters = { label: labelFilters(labels) }
      const listed = await call(limits.ordinary, (docker) => docker.listContainers({ all: true, filters }))
      return listed
        .filter((container) => hasLabels(container.Labels, labels))
        .map(({ Id, Names, Labels, State, Image }) => ({
          id: Id,
          name: plainName(Names[0] ?? ''),
          labels: Labels,
          status: State,
          image: Image
        }))
    },
    containerLogs: (id, tail) => call(limits.ordinary, (docker) => readLogs(docker, checkedId(id), tail))
  }
}

/**
 * Not dockerode's createContainer: that sends the whole body in the query string as well, so that secrets of the
 * environment stand in the request line, which the engine bounds to 1 MiB.
 */
async function postCreate(docker: Docker, name: string, body: object): Promise<string> {
  const answer = await dial<{ Id: string }>(docker, {
    path: '/containers/create?',
    method: 'POST',
    options: { _query: { name }, _body: body },
    statusCodes: { 200: true, 201: true }
  })
  return answer.Id
}

/** Not dockerode's logs: without `follow` that takes all of it into memory, and then once more as text. */
async function readLogs(docker: Docker, id: string, tail: number): Promise<string> {
  const stream = await dial<Readable>(docker, {
    path: `/containers/${id}/logs?`,
    method: 'GET',
    isStream: true,
    options: { stdout: true, stderr: true, tail },
    statusCodes: { 200: true }
  })
  const collector = createLogCollector(maxLogBytes)
  for await (const chunk of stream as AsyncIterable<Buffer>) collector.push(chunk)
  return collector.text(tail)
}

function dial<T>(docker: Docker, options: Parameters<Docker['modem']['dial']>[0]): Promise<T> {
  return new Promise((resolve, reject) => {
    docker.modem.dial(options, (error: Error | null, answer: unknown) => (error ? reject(error) : resolve(answer as T)))
  })
}

const plainName = (name: string): string => name.replace(/^\//, '')

/** dockerode puts ids into paths as they are. */
function checkedId(id: string): string {
  if (!/^[a-zA-Z0-9][\w.-]*$/.test(id)) throw new EngineError(`No such container: ${id}`, 404)
  return id
}

function stateOf(found: ContainerInspectInfo): ContainerState {
  const [network] = Object.values(found.NetworkSettings.Networks)
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
    address: network?.IPAddress || undefined,
    startedAt: found.State.StartedAt
  }
}
