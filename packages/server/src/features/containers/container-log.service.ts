import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ContainerLogStart } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { AppError, asAppError } from '../../errors.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { createAutoResetEvent, type AutoResetEvent } from '../../concurrency/auto-reset-event.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { type OnMachine, onMachine } from '../nodes/on-machine.service.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { findLogContainer, type LogSource } from './log-source.service.ts'
import { cursorOf, positionIn } from './container-log-position.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'events' | 'instanceId' | 'worker'> & OnMachine

export const LogMessage = z.union([
  z.object({ containerId: z.string(), text: z.string(), next: z.string() }),
  z.object({
    containerId: z.string().nullable(),
    state: z.enum(['FOLLOWING', 'STOPPED', 'CONTAINER_MISSING', 'CONTAINER_ENGINE_UNAVAILABLE'])
  })
])
export type LogMessage = z.infer<typeof LogMessage>
type LogState = Extract<LogMessage, { state: string }>['state']

const retryDelayMs = 1_000

/** JSON lines until the call is aborted; continues with each container that replaces the current one. */
export const openContainerLog = workerVerb(
  'containers.followLog',
  [Id, Id, ContainerLogStart],
  async (deps: Deps, userId: string, projectId: string, start: ContainerLogStart, call: WorkerCall = {}) => {
    await onMachineOf(deps, projectId, userId)
    const stop = new AbortController()
    const signal = call.signal ? AbortSignal.any([call.signal, stop.signal]) : stop.signal
    const stream = Readable.from(linesOf(messages(deps, { userId, projectId, start, signal })), { objectMode: false })
    stream.once('close', () => stop.abort(new Error('log reader disconnected')))
    return { stream }
  }
)

interface Follow {
  userId: string
  projectId: string
  start: ContainerLogStart
  signal: AbortSignal
}

async function* linesOf(source: AsyncIterable<LogMessage>): AsyncGenerator<string> {
  for await (const message of source) yield `${JSON.stringify(message)}\n`
}

/** With the programs of the machine that the project is on now. */
async function onMachineOf(deps: Deps, projectId: string, userId: string): Promise<Deps> {
  const { nodeId } = await getOwnProject(deps.db, projectId, userId)
  return onMachine(deps, nodeId)
}

async function* messages(panel: Deps, { userId, projectId, start, signal }: Follow): AsyncGenerator<LogMessage> {
  const changed = createAutoResetEvent()
  const unsubscribe = panel.events.subscribe({
    onEvent({ name, data }) {
      const isWatched = name === 'changed' && (data.type === 'project' || data.type === 'process')
      if (isWatched && (data.id === null || data.id === projectId)) changed.set()
    },
    onGap: () => changed.set()
  })
  const source = { projectId, process: start.process, instance: start.instance }
  let next = start.since
  let known: string | undefined
  let message: string | undefined
  function* report(containerId: string | null, state: LogState): Generator<LogMessage> {
    if (message !== `${containerId} ${state}`) yield { containerId, state }
    message = `${containerId} ${state}`
  }
  try {
    while (!signal.aborted) {
      const deps = await onMachineOf(panel, projectId, userId)
      const containerId = await findLogContainer(deps, source).catch((error: unknown) => ({ error }))
      if (containerId === null || typeof containerId === 'object') {
        yield* report(null, containerId === null ? 'CONTAINER_MISSING' : stateByError(containerId.error))
        // No event says that the container of a worker has started.
        await (start.process === undefined ? changed.wait(signal) : sleep(retryDelayMs, undefined, { signal }))
        continue
      }
      const after = positionIn(containerId, next)
      // A replacement container is read from its start.
      const isAnother = (known !== undefined || next !== undefined) && !after
      known = containerId
      const replaced = untilReplaced(deps, { source, containerId, changed, signal })
      try {
        const tail = isAnother ? allLines : start.tail
        yield* report(containerId, 'FOLLOWING')
        for await (const { text, position } of deps.engine.followLogs(containerId, { tail, after }, replaced.signal)) {
          next = cursorOf(containerId, position)
          yield* report(containerId, 'FOLLOWING')
          yield { containerId, text, next }
        }
        if (!replaced.signal.aborted) yield* report(containerId, await stateOf(deps, containerId))
      } catch (error) {
        yield* report(containerId, stateByError(error))
      } finally {
        await replaced.stop()
      }
      if (!replaced.signal.aborted) await untilRunning(deps, { source, containerId, changed, signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    unsubscribe()
  }
}

// More lines than the engine keeps.
const allLines = 10_000_000

interface ContainerWait {
  source: LogSource
  containerId: string
  changed: AutoResetEvent
  signal: AbortSignal
}

function untilReplaced(deps: Deps, { source, containerId, changed, signal }: ContainerWait) {
  const stop = new AbortController()
  const replaced = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const watching = (async () => {
    for (;;) {
      await changed.wait(until)
      if ((await findLogContainer(deps, source)) !== containerId) return replaced.abort(new Error('replaced'))
    }
  })().catch((error: unknown) => {
    // The database is unavailable: restart following, which reports it.
    if (!until.aborted) replaced.abort(error)
  })
  return {
    signal: AbortSignal.any([signal, replaced.signal]),
    async stop() {
      stop.abort(new Error('stopped'))
      await watching
    }
  }
}

const stateOf = async ({ engine }: Pick<Deps, 'engine'>, id: string) =>
  (await engine.findContainer(id)) ? 'STOPPED' : 'CONTAINER_MISSING'

function stateByError(error: unknown): 'CONTAINER_MISSING' | 'CONTAINER_ENGINE_UNAVAILABLE' {
  if (error instanceof EngineError && error.status === 404) return 'CONTAINER_MISSING'
  if (asAppError(error)?.code === 'CONTAINER_ENGINE_UNAVAILABLE') return 'CONTAINER_ENGINE_UNAVAILABLE'
  if (error instanceof EngineError)
    throw new AppError('CONFLICT', `The container engine rejected the request: ${error.message}`)
  throw error
}

async function untilRunning(deps: Deps, { source, containerId, changed, signal }: ContainerWait): Promise<void> {
  const { engine, instanceId } = deps
  const stop = new AbortController()
  const labels = { [label.instance]: instanceId, [label.project]: source.projectId }
  // The end of the watch also wakes the loop, so that an unavailable engine is retried.
  const watching = engine
    .watchContainers(labels, changed.set, AbortSignal.any([signal, stop.signal]))
    .catch(() => {})
    .finally(changed.set)
  try {
    for (;;) {
      await sleep(retryDelayMs, undefined, { signal })
      await changed.wait(signal)
      const [current, state] = await Promise.all([
        findLogContainer(deps, source).catch(() => 'away' as const),
        engine.findContainer(containerId).catch(() => 'away' as const)
      ])
      if (current !== containerId || state === 'away' || state?.running) return
    }
  } finally {
    stop.abort()
    await watching
  }
}
