import type { oomScore } from '../infra/process/oom-score.ts'
import type { RenderedFile } from './rendered-files.ts'

/** stdout and stderr go to `log`. */
interface Command {
  argv: readonly [string, ...string[]]
  /** Complete environment apart from PATH. */
  env?: Readonly<Record<string, string>>
  /** Written by the program. Removed before each start, because its pid may belong to another process by then. */
  pidFile?: string
}

export interface FoundProcesses {
  /** Main process: gets signals, and its end is the end of the program. */
  main: number | undefined
  /** All processes that would block a new start, the main one first. */
  all: readonly number[]
}

/** `starting`: not serving yet, but it reports that it will. */
type ProbeResult = 'serving' | 'starting'

/**
 * A program that the panel starts, adopts, supervises, reloads and stops: the parts that differ between programs. The
 * common part is in lifecycle.ts and watch.ts.
 */
export interface ManagedProgram {
  /** Name in sentences: "the name server", "PostgreSQL". */
  readonly name: string
  /** Its output is appended; truncated when it grows large. */
  readonly log: string
  /** Signal for a graceful stop. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT'
  /** Timeouts for a start and for a graceful stop. */
  readonly limits: { startMs: number; stopMs: number }
  /** OOM score. Default neutral instead of the panel's own, which it would inherit. */
  readonly oomScore?: (typeof oomScore)[keyof typeof oomScore]
  /**
   * Moves its processes into a cgroup with limits; their children are included. Called for the main process right after
   * start or adoption, then for all, because it may have forked before. Reports its own failures.
   */
  contain?(pids: readonly number[]): Promise<void>
  /** TCP addresses that must be free before a start, for programs that start without them. */
  readonly addresses?: readonly { host: string; port: number }[]
  /** Creates what its files refer to: directories, keys, initial data. Idempotent, also while it runs. */
  prepare(): Promise<void>
  /** Complete configuration: a program running with these files is adopted, otherwise it is reloaded or replaced. */
  render(): readonly RenderedFile[]
  /**
   * The program's own checker, called for each candidate file; `files` is the whole configuration, for checkers that
   * need several files. Rejects with ProcessError on invalid configuration.
   */
  check?(candidate: string, files: readonly RenderedFile[]): Promise<void>
  command(): Command
  find(): Promise<FoundProcesses>
  /** Queries the program with a timeout. Rejects without a response. */
  probe(): Promise<ProbeResult>
  /** Interval between probes, for programs where a probe costs a process. The process state is checked more often. */
  readonly probeEveryMs?: number
  /** Whether to leave a silent program alone, because killing it is worse. */
  readonly isLeftWhenSilent?: boolean
  /**
   * For programs that can report their configuration; others are compared by files. Read at adoption and after a start
   * only.
   */
  fingerprint?: { wanted: string; running(): Promise<string | undefined> }
  /** Reloads without a restart. Rejects if the new configuration is not active; the previous one is then restored. */
  reload?(): Promise<void>
  /** Runs the check or start, and may repeat it after removing the cause of a failure. */
  attempt?<T>(work: () => Promise<T>, context: { isRunning: boolean }): Promise<T>
  /** After a start or adoption: applies settings stored in the program's own data. */
  secure?(): Promise<void>
  /** Child processes (sessions) that survive a replacement and end only when the program is stopped. */
  findSessions?(main: number): Promise<readonly number[]>
  /** Limits other log files; called as often as the log is checked. */
  boundLogs?(): Promise<void>
  /** Closes connections that the probe keeps open. */
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
