import type { OwnUnit } from '../infra/process/own-unit.ts'
import type { oomScore } from '../infra/process/oom-score.ts'
import type { RenderedFile } from './rendered-files.ts'

interface Command {
  argv: readonly [string, ...string[]]
  env?: Readonly<Record<string, string>>
  /** Written by the program. Removed before each start, because its pid may belong to another process by then. */
  pidFile?: string
}

export interface FoundProcesses {
  /** Main process: gets signals, and its end is the end of the program. */
  main: number | undefined
  all: readonly number[]
}

type ProbeResult = 'serving' | 'starting'

/** What differs between programs; the common part is in lifecycle.ts and watch.ts. */
export interface ManagedProgram {
  readonly name: string
  readonly log: string
  readonly stopSignal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT'
  readonly limits: { startMs: number; stopMs: number }
  /** OOM score. Default neutral instead of the panel's own, which it would inherit. */
  readonly oomScore?: (typeof oomScore)[keyof typeof oomScore]
  /** Moves processes into a cgroup. Called for the main process first, then for all, because it may have forked. */
  contain?(pids: readonly number[]): Promise<void>
  /** Where systemd runs, `contain` moves it into a scope, so it needs none of its own. */
  readonly hasOwnScope?: boolean
  /** TCP addresses that must be free before a start, for programs that start without them. */
  readonly addresses?: readonly { host: string; port: number }[]
  /** Creates what its files refer to: directories, keys, initial data. Idempotent, also while it runs. */
  prepare(): Promise<void>
  /** Complete configuration: a program running with these files is adopted, otherwise it is reloaded or replaced. */
  render(): readonly RenderedFile[]
  /** Called for each candidate; `files` is the whole configuration. Rejects with ProcessError. */
  check?(candidate: string, files: readonly RenderedFile[]): Promise<void>
  command(): Command
  /** Sandboxed service to run as instead of the command, where systemd can create one. */
  unit?(): OwnUnit
  find(): Promise<FoundProcesses>
  probe(): Promise<ProbeResult>
  /** Interval between probes, for programs where a probe costs a process. The process state is checked more often. */
  readonly probeEveryMs?: number
  /** Whether to leave a silent program alone, because killing it is worse. */
  readonly isLeftWhenSilent?: boolean
  /** For programs that can report their configuration. Read at adoption and after a start only. */
  fingerprint?: { wanted: string; running(): Promise<string | undefined> }
  /** Reloads without a restart. Rejects if the new configuration is not active; the previous one is then restored. */
  reload?(): Promise<void>
  /** Runs the check or start, and may repeat it after removing the cause of a failure. */
  attempt?<T>(work: () => Promise<T>, context: { isRunning: boolean }): Promise<T>
  /** After a start or adoption: applies settings stored in the program's own data. */
  secure?(): Promise<void>
  /** Child processes (sessions) that survive a replacement and end only when the program is stopped. */
  findSessions?(main: number): Promise<readonly number[]>
  boundLogs?(): Promise<void>
  close?(): void
}

/** There is no program to start and retrying does not help; the message tells the administrator what to do. */
export class NothingToStart extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NothingToStart'
  }
}

/** A program could not be started or configured. The cause is the end of its log or the checker's output. */
export class ProgramError extends Error {
  constructor(message: string, output: string) {
    super(message.charAt(0).toUpperCase() + message.slice(1), { cause: new Error(output) })
    this.name = 'ProgramError'
  }
}
