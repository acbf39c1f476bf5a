import { PassThrough, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Id } from '@panel/contract/common'
import { Command } from '@panel/contract/runs'
import { TerminalSize } from '@panel/contract/terminals'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type ContainerEngine, EngineError } from '../../infra/container-engine/container-engine.ts'
import { messageOf } from '../../text/message-of.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { engineOn } from '../nodes/on-machine.service.ts'
import { findProject } from '../projects/project-access.ts'
import { argumentsOf } from './terminal-command.policy.ts'
import { findTerminal, type TerminalRow, updateOpenTerminal } from './terminals.repository.ts'
import { recordTerminalEnd } from './terminals.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'logger' | 'nodeId' | 'nodes' | 'now'>

/** Terminals that have not been renewed for longer are ended by reconcile. */
export const abandonedAfterMs = 120_000
const renewEveryMs = 30_000
/** Longer than the engine's own limits, so that their message arrives. */
const attachLimitMs = 120_000

const attach = workerVerb('terminals.attach', [Id, TerminalSize, Command.optional()], attachHere, {
  timeoutMs: attachLimitMs
})

/**
 * Starts the process of a recorded terminal. When `stream` ends, the process is gone and the end is recorded; an abort
 * of `signal` ends both.
 */
export async function openTerminalProcess(
  deps: Dependencies,
  id: string,
  size: TerminalSize,
  command: Command | undefined,
  signal: AbortSignal
): Promise<{ input: Writable; stream: Readable }> {
  if (deps.worker) {
    const limits = { signal, timeoutMs: attachLimitMs }
    const { input, stream } = await deps.worker.converse('terminals.attach', [id, size, command], limits)
    return { input, stream }
  }
  const input = new PassThrough()
  const { stream } = await attach(deps, id, size, command, { signal, input })
  return { input, stream }
}

export const resizeTerminal = workerVerb(
  'terminals.resize',
  [Id, TerminalSize],
  async (deps: Pick<Deps, 'db' | 'engine' | 'nodeId' | 'nodes'>, id: string, size: TerminalSize) => {
    const row = await findTerminal(deps.db, id)
    if (row?.processId != null && row.endedAt === null)
      await (await engineOfTerminal(deps, row)).resizeTerminal(row.processId, size)
  }
)

/** The project may be on another machine meanwhile. */
export const engineOfTerminal = (
  deps: Pick<Deps, 'db' | 'engine' | 'nodeId' | 'nodes'>,
  { nodeId }: Pick<TerminalRow, 'nodeId'>
): Promise<ContainerEngine> => engineOn(deps, nodeId ?? deps.nodeId)

async function attachHere(
  deps: Deps,
  id: string,
  size: TerminalSize,
  command: Command | undefined,
  { signal, input }: WorkerCall = {}
): Promise<{ stream: Readable }> {
  try {
    const process = await createProcess(deps, id, size, command)
    const terminal = await process.engine.startTerminal(process.id, size)
    const stream = new PassThrough()
    const renewing = setInterval(() => {
      updateOpenTerminal(deps.db, id, { seenAt: deps.now() }).catch((error: unknown) =>
        deps.logger.warn({ terminal: id, error: messageOf(error) }, 'could not renew a terminal')
      )
    }, renewEveryMs)
    const disconnect = () => terminal.destroy()
    if (signal?.aborted) disconnect()
    signal?.addEventListener('abort', disconnect, { once: true })
    // It closes, which ends the output.
    terminal.on('error', () => {})
    input!.on('error', disconnect).pipe(terminal)
    void pipeline(terminal, stream, { end: false })
      .then(() => undefined, disconnect)
      .then(() => clearInterval(renewing))
      .then(() => endProcess(deps, id, process, signal))
      .catch((error: unknown) => leaveToReconcile(deps, id, error, signal))
      .finally(() => {
        signal?.removeEventListener('abort', disconnect)
        disconnect()
        input!.unpipe(terminal)
        stream.end()
      })
    return { stream }
  } catch (error) {
    const row = await findTerminal(deps.db, id)
    // If this fails too, reconcile ends it.
    if (row?.processId != null) await (await engineOfTerminal(deps, row)).endTerminal(row.processId)
    await recordTerminalEnd(deps, id, { reason: 'FAILED' })
    throw explained(error)
  }
}

interface TerminalProcess {
  id: string
  containerId: string
  engine: ContainerEngine
}

async function createProcess(
  deps: Deps,
  id: string,
  size: TerminalSize,
  command: Command | undefined
): Promise<TerminalProcess> {
  const { db } = deps
  const row = await findTerminal(db, id)
  if (!row || row.endedAt !== null || row.processId !== null)
    throw new AppError('CONFLICT', 'This terminal has already been used')
  const project = await findProject(db, row.projectId)
  if (project?.containerId == null) throw new AppError('CONTAINER_MISSING', 'Nothing is deployed yet. Deploy first.')
  const { containerId, nodeId } = project
  const engine = await engineOn(deps, nodeId)
  const processId = await engine.createTerminal(containerId, {
    command: argumentsOf(command),
    env: { TERM: 'xterm-256color' },
    ...size
  })
  await updateOpenTerminal(db, id, { processId, nodeId })
  return { id: processId, containerId, engine }
}

/** In this order: an end is recorded only when nothing is left. */
async function endProcess(
  deps: Deps,
  id: string,
  { engine, ...process }: TerminalProcess,
  signal: AbortSignal | undefined
): Promise<void> {
  const exitCode = await engine.endTerminal(process.id)
  const isRunning = signal?.aborted === true || (await engine.findContainer(process.containerId))?.running === true
  const reason = signal?.aborted ? 'CLOSED' : isRunning ? 'EXITED' : 'CONTAINER_STOPPED'
  await recordTerminalEnd(deps, id, { reason, exitCode })
}

/** Its machine or engine does not respond. The row stays open until reconcile has ended the process. */
async function leaveToReconcile(
  deps: Deps,
  id: string,
  error: unknown,
  signal: AbortSignal | undefined
): Promise<void> {
  deps.logger.warn({ terminal: id, error: messageOf(error) }, 'could not end a terminal')
  const reason = signal?.aborted ? {} : ({ endReason: 'CONTAINER_STOPPED' } as const)
  await updateOpenTerminal(deps.db, id, { seenAt: new Date(0), ...reason }).catch((cause: unknown) =>
    deps.logger.warn({ terminal: id, error: messageOf(cause) }, 'could not record that a terminal is left')
  )
}

function explained(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  const isStopped = error.status === 404 || error.status === 409
  return isStopped
    ? new AppError('CONFLICT', 'The container is not running. Start the project first.', { cause: error })
    : new AppError('CONFLICT', `The container refused the command: ${error.message}`, { cause: error })
}
