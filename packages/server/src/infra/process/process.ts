import type { Readable, Writable } from 'node:stream'
import type { SystemUser } from './privileges.ts'

export interface RunOptions {
  /** Milliseconds until the process group is killed. No default: every call sets its own limit. */
  timeoutMs: number
  /** Milliseconds without any byte read or written by the program itself until it is killed. For work of unknown length. */
  idleTimeoutMs?: number
  cwd?: string | undefined
  /** Runs as this user without privileges; requires root. `cwd` is bound to an accessible place. */
  as?: SystemUser | undefined
  env?: Record<string, string>
  /** Standard input; empty by default. Pass secrets here, never in argv. */
  input?: string | Readable
  maxOutputBytes?: number
  signal?: AbortSignal
  stdout?: Writable
  /** Discards standard error, for programs whose amount of it tenants control. */
  stderr?: 'ignore'
  exitCodes?: readonly number[]
  onStderrLine?: (line: string) => void
}

interface RunResult {
  stdout: string
  stderr: string
}

export class ProcessError extends Error {
  /** `not-started`: out of file descriptors, processes or memory. */
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

/** No shell. Rejects with ProcessError unless it exits with 0; its whole process group is gone then. */
export type Run = (argv: readonly [string, ...string[]], options: RunOptions) => Promise<RunResult>
