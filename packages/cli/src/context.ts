import type { Client } from '@panel/client'

interface Output {
  write(text: string | Uint8Array, done?: () => void): unknown
  isTTY?: boolean
  /** Of a terminal. */
  columns?: number
  rows?: number
  on?(event: 'resize', listener: () => void): unknown
  off?(event: 'resize', listener: () => void): unknown
}

export interface Context {
  env: Readonly<Record<string, string | undefined>>
  /** The folder of the user, from which the linked project is searched upwards. */
  cwd: string
  stdin: NodeJS.ReadStream
  stdout: Output
  stderr: Output
  signal: AbortSignal
}

export interface Call extends Context {
  args: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  /** Name or id of the project that was passed, or that this folder is linked to. */
  project: string | undefined
  print(value: unknown, text: string): void
  /** The command to run next, on standard error; omitted with --json. */
  next(command: string): void
}
export interface SignedInCall extends Call {
  url: string
  token: string
  client: Client
  /** Sends any request to the panel with the token; by default it has to be answered within 30 s. */
  send(path: string, init?: RequestInit, withinMs?: number): Promise<Response>
}

export const exitCodes = { done: 0, failed: 1, usage: 2, notSignedIn: 3, unreachable: 4 } as const

/** What the user types: beside a panel it is `panel cli`, elsewhere `panel`. */
export const program = /[\\/]panel\.mjs$/.test(process.argv[1] ?? '') ? 'panel cli' : 'panel'

export class UsageError extends Error {}

export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

export const step = ({ stderr }: Pick<Context, 'stderr'>, text: string): void => void stderr.write(`· ${text}\n`)
