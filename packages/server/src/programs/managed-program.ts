import type { oomScore } from '../infra/process/oom-score.ts'
import type { RenderedFile } from './rendered-files.ts'

/** A started program, and what it writes to its standard output and error goes to `log`. */
interface Command {
  argv: readonly [string, ...string[]]
  /** The whole environment besides PATH. */
  env?: Readonly<Record<string, string>>
  /** Written by the program. Removed before each start, since a number in it may be another process's by then. */
  pidFile?: string
}

export interface FoundProcesses {
  /** The first process: the one that is signalled, and whose end is the end of the program. */
  main: number | undefined
  /** Every process that would keep a new one out, the first among them. */
  all: readonly number[]
}

/** `starting`: it answers that it will serve. */
type ProbeResult = 'serving' | 'starting'

/**
 * A real program that the panel starts, adopts, watches, reloads and stops: what differs between programs. What they have in common is in
 * lifecycle.ts and watch.ts.
 */
export interface ManagedProgram {
  /** As it stands in a sentence: "the name server", "PostgreSQL". */
  readonly name: string
  /** The program appends its output; emptied when it grows long. */
  readonly log: string
  /** Asks it to end in good order. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT'
  /** Until a started one serves, and until an asked one has ended. */
  readonly limits: { startMs: number; stopMs: number }
  /** How early it ends where the machine has no memory left. Default neutral, and not the panel's own, which it would inherit. */
  readonly oomScore?: (typeof oomScore)[keyof typeof oomScore]
  /**
   * Puts its processes where what they take is bounded; what those start is there too. Asked for the first one as soon as it is started or adopted,
   * and then for all, since it may have started others before. Tells of its own failures.
   */
  contain?(pids: readonly number[]): Promise<void>
  /** TCP addresses that must be free before it starts, for a program that would start without them. */
  readonly addresses?: readonly { host: string; port: number }[]
  /** Makes what its files refer to: directories, keys, the first data. Safe to repeat while it runs. */
  prepare(): Promise<void>
  /** Its whole configuration: one that runs with these files is adopted, another is reloaded or replaced. */
  render(): readonly RenderedFile[]
  /**
   * The program's own checker, on each file before it takes effect; `files` is the whole configuration, for one that looks at several together.
   * Rejects with ProcessError where it refuses.
   */
  check?(candidate: string, files: readonly RenderedFile[]): Promise<void>
  command(): Command
  find(): Promise<FoundProcesses>
  /** A question to the program itself, with a time limit. Rejects when there is no answer. */
  probe(): Promise<ProbeResult>
  /** Between two probes of one that runs, for a program that a probe costs a process. The state of its process is read more often. */
  readonly probeEveryMs?: number
  /** Whether one that runs and is silent is left to itself: its end would cost more than its silence. */
  readonly isLeftWhenSilent?: boolean
  /** For a program that can tell what it runs; of others the files tell. Asked at adoption and after a start only. */
  fingerprint?: { wanted: string; running(): Promise<string | undefined> }
  /** Takes the files over without a restart. Rejects when they are not served; the previous configuration is then put back. */
  reload?(): Promise<void>
  /** Runs the check or the start, and may repeat it after it has removed what made it fail. */
  attempt?<T>(work: () => Promise<T>, context: { isRunning: boolean }): Promise<T>
  /** After a start or an adoption: sets what the program's own data keep. */
  secure?(): Promise<void>
  /** Processes of the first one that outlive a replacement and end only when the program is stopped: sessions. */
  findSessions?(main: number): Promise<readonly number[]>
  /** Keeps what it writes besides `log` from growing for ever; looked at as often as that. */
  boundLogs?(): Promise<void>
  /** Closes what the probe keeps open. */
  close?(): void
}

/** There is no program to start, and another try changes nothing: the administrator has to act, as the message says. */
export class NothingToStart extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NothingToStart'
  }
}

/** A program that could not be started or configured. The cause is the end of its own log, or of what its checker said. */
export class ProgramError extends Error {
  constructor(message: string, output: string) {
    super(message.charAt(0).toUpperCase() + message.slice(1), { cause: new Error(output) })
    this.name = 'ProgramError'
  }
}
