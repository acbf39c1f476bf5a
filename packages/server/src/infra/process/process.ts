import type { Readable, Writable } from 'node:stream'
import type { SystemUser } from './privileges.ts'

export interface RunOptions {
  /** Milliseconds until the whole process group is killed. There is no default: every outbound call names its limit. */
  timeoutMs: number
  cwd?: string | undefined
  /** Runs it as this user, without a right and without a way to one. Only root can. It finds `cwd` at a place that it may reach. */
  as?: SystemUser | undefined
  /** The complete environment of the child; nothing is inherited but what is named here (and PATH). */
  env?: Record<string, string>
  /** Text or a stream for standard input; without it the child reads an empty one. Secrets go here, never into argv. */
  input?: string | Readable
  /** Bytes of output kept; a child that writes more is killed. Default 1 MiB. */
  maxOutputBytes?: number
  /** Kills the whole process group when it fires. */
  signal?: AbortSignal
  /** Where standard output goes instead of being kept. */
  stdout?: Writable
  /** Nobody reads standard error: how much there is of it is somebody else's to choose. */
  stderr?: 'ignore'
  /** What it may end with besides 0. */
  exitCodes?: readonly number[]
  /** Called with each line of standard error as it comes. */
  onStderrLine?: (line: string) => void
}

interface RunResult {
  stdout: string
  stderr: string
}

/** A program that ran and failed, ran too long or could not be started. `stderr` is what it said. */
export class ProcessError extends Error {
  /** `not-started`: this machine, or this process, had no descriptor, process or memory left for it. */
  readonly reason: 'failed' | 'timeout' | 'aborted' | 'missing' | 'not-started' | 'output-limit'
  readonly exitCode: number | undefined
  readonly stderr: string

  constructor(message: string, reason: ProcessError['reason'], exitCode: number | undefined, stderr: string) {
    super(message)
    this.name = 'ProcessError'
    this.reason = reason
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

/**
 * Runs one program by argument array, in a process group of its own, without a shell. Rejects with ProcessError on a non-zero
 * exit, a time-out or an abort, and where it could not be started; nothing of the group is left then.
 */
export type Run = (argv: readonly [string, ...string[]], options: RunOptions) => Promise<RunResult>
