import { createServer } from 'node:net'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { boundLog } from '../process/bounded-log.ts'
import { startDaemon } from '../process/daemon.ts'
import type { Run } from '../process/process.ts'
import { processesIn } from '../process/processes-in.ts'
import { programPath } from '../process/program-path.ts'
import { signal as send } from '../process/signal.ts'
import { engineEnvironment } from './engine-directories.ts'

/** What differs between the engines that the panel runs itself. */
export interface EngineProgram {
  name: 'PostgreSQL' | 'MariaDB'
  /** Where its data lie; each of its processes works there. */
  dataDirectory: string
  /** The complete configuration: paths and their content. */
  files: ReadonlyMap<string, string>
  argv: readonly [string, ...string[]]
  pidFile: string
  log: string
  listen: readonly string[]
  port: number
  /** Asks it to end, connections or not. */
  stopSignal: NodeJS.Signals
  /** Makes the directories and, where there are none yet, the data. */
  prepare(): Promise<void>
  /** Looks whether it serves; `starting` while it says that it will. Bounded in time. */
  look(): Promise<'serving' | 'starting' | undefined>
  /** Sets what the data themselves keep: the administrator's password and what no account may do. */
  secure(): Promise<void>
}

export interface EngineProgramOptions {
  directory: string
  listen: readonly string[]
  port: number
  /** Who may connect besides this machine: the containers' network in CIDR notation. */
  containerSubnet: string
  /** The administrator; only programs on this machine may be it. */
  admin: { name: string; password: string }
  run: Run
}

export interface EngineProcess {
  pid: number
  outcome: 'started' | 'adopted' | 'restarted'
}

const readableByEngine = 0o640
// After a power cut an engine first makes its data whole.
const startTimeoutMs = 15 * 60_000
const stopTimeoutMs = 60_000
const pollMs = 50
const freedWithinMs = 3_000

/**
 * Makes the engine run with exactly this configuration: leaves one alone that does, starts it anew or for the first time otherwise. It
 * does not end with this process: a panel that restarts finds it serving. A second call while one runs is the caller's mistake.
 *
 * @param options.signal gives the wait up and ends the engine.
 */
export async function startEngine(
  program: EngineProgram,
  options: { signal?: AbortSignal } = {}
): Promise<EngineProcess> {
  await program.prepare()
  await boundLog(program.log)
  const running = await findMain(program)
  const isServing = running !== undefined && ((await program.look()) ?? (await program.look())) !== undefined
  if (isServing && (await isConfigured(program))) {
    await program.secure()
    return { pid: running, outcome: 'adopted' }
  }
  await endAll(program, isServing)
  await checkAddresses(program)
  for (const [path, text] of program.files) await writeFileAtomically(path, text, readableByEngine)
  const pid = await launch(program, options.signal)
  await program.secure()
  return { pid, outcome: isServing ? 'restarted' : 'started' }
}

/** Ends the engine in good order and waits until nothing of it is left. Resolves also when none runs. */
export async function stopEngine(
  program: Pick<EngineProgram, 'dataDirectory' | 'pidFile' | 'stopSignal'>
): Promise<void> {
  await endAll(program, true)
}

/** Whether it serves, or is on the way to. */
export async function isEngineAnswering(program: EngineProgram): Promise<boolean> {
  await boundLog(program.log)
  return (await program.look()) !== undefined
}

async function isConfigured({ files }: EngineProgram): Promise<boolean> {
  const found = await Promise.all([...files.keys()].map(readIfExists))
  return [...files.values()].every((text, index) => text === found[index])
}

/** By the engine's own file, which may be stale: its number is only believed of a process that works on the data. */
async function findMain(program: Pick<EngineProgram, 'dataDirectory' | 'pidFile'>): Promise<number | undefined> {
  const pid = parseInt((await readIfExists(program.pidFile)) ?? '', 10)
  return (await findAll(program)).includes(pid) ? pid : undefined
}

const findAll = ({ dataDirectory }: Pick<EngineProgram, 'dataDirectory'>): Promise<number[]> =>
  processesIn(dataDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // It was never started.
    throw error
  })

async function launch(program: EngineProgram, signal?: AbortSignal): Promise<number> {
  // Nothing works on the data any more: the number in it is another program's by now, and would keep the engine from starting.
  await rm(program.pidFile, { force: true })
  const env = { PATH: programPath, ...engineEnvironment }
  const daemon = await startDaemon(program.argv, { logPath: program.log, env })
  const deadline = Date.now() + startTimeoutMs
  while (daemon.failure() === undefined && Date.now() < deadline && !signal?.aborted) {
    if ((await findMain(program)) !== undefined && (await program.look()) === 'serving') return daemon.pid
    await sleep(pollMs)
  }
  const reason = daemon.failure() ?? (signal?.aborted ? 'it is to stop' : 'no answer in time')
  await endAll(program, signal?.aborted === true)
  const log = (await readIfExists(program.log)) ?? ''
  throw new Error(`${program.name} did not start: ${messageOf(reason)}`, {
    cause: new Error(log.slice(-2_000))
  })
}

/** Ends every process of the engine; at once where it hangs or its first process is gone, since the rest would keep a new one out. */
async function endAll(
  program: Pick<EngineProgram, 'dataDirectory' | 'pidFile' | 'stopSignal'>,
  gently: boolean
): Promise<void> {
  const main = gently ? await findMain(program) : undefined
  if (main !== undefined) {
    send(main, program.stopSignal)
    if (await isGone(program)) return
  }
  for (const pid of await findAll(program)) send(pid, 'SIGKILL')
  if (!(await isGone(program))) throw new Error(`A process in ${program.dataDirectory} cannot be ended`)
}

async function isGone(program: Pick<EngineProgram, 'dataDirectory'>): Promise<boolean> {
  for (const deadline = Date.now() + stopTimeoutMs; Date.now() < deadline; await sleep(pollMs))
    if ((await findAll(program)).length === 0) return true
  return false
}

/**
 * PostgreSQL would start without an address that another program has; ours would then talk to that program. Threads of a former process
 * that was killed may hold its sockets a moment longer than it can be seen.
 */
async function checkAddresses({ name, listen, port }: EngineProgram): Promise<void> {
  const deadline = Date.now() + freedWithinMs
  for (const host of listen) {
    let problem = await listenProblem(host, port)
    for (; problem === 'Address already in use' && Date.now() < deadline; problem = await listenProblem(host, port))
      await sleep(pollMs)
    if (problem !== undefined)
      throw new Error(`${name} cannot listen on ${host} port ${port}: ${problem}`, { cause: new Error(problem) })
  }
}

/** Why no server can listen there; undefined where one can. */
async function listenProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening')
    return undefined
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    return isTaken ? 'Address already in use' : messageOf(error)
  } finally {
    server.close()
  }
}
