import type { Client } from '@panel/client'

/** What the command line gives a command. */
export interface Context {
  env: Readonly<Record<string, string | undefined>>
  stdin: NodeJS.ReadStream
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Ctrl-C. */
  signal: AbortSignal
}

/** A command that needs no panel yet, and one that talks to it. */
export interface Call extends Context {
  args: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  /** Writes a result: as JSON with --json, else as the text. */
  print(value: unknown, text: string): void
}
export interface SignedInCall extends Call {
  client: Client
}

/** How it ended, for scripts. */
export const exitCodes = { done: 0, failed: 1, usage: 2, notSignedIn: 3, unreachable: 4 } as const

/** Wrong arguments; the message says which, and the usage of the command follows. */
export class UsageError extends Error {}

/** What was asked for has failed, as the message says. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** One line of progress, so that standard output stays for results. */
export const step = ({ stderr }: Pick<Context, 'stderr'>, text: string): void => void stderr.write(`· ${text}\n`)
