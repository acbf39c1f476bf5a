import type { Client } from '@panel/client'

export interface Context {
  env: Readonly<Record<string, string | undefined>>
  stdin: NodeJS.ReadStream
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  signal: AbortSignal
}

export interface Call extends Context {
  args: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  print(value: unknown, text: string): void
}
export interface SignedInCall extends Call {
  client: Client
}

export const exitCodes = { done: 0, failed: 1, usage: 2, notSignedIn: 3, unreachable: 4 } as const

export class UsageError extends Error {}

export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

export const step = ({ stderr }: Pick<Context, 'stderr'>, text: string): void => void stderr.write(`· ${text}\n`)
