import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError, type Context } from './context.ts'

interface Streams {
  env?: Readonly<Record<string, string>>
  input?: Readable
  output?: Writable
}

/** Runs a program of this machine on the user's terminal, or with the given streams. Rejects unless it exits with 0. */
export async function runProgram(
  { env, signal }: Pick<Context, 'env' | 'signal'>,
  file: string,
  args: readonly string[],
  { env: added = {}, input, output }: Streams = {}
): Promise<void> {
  const child = spawn(file, args, {
    env: { ...env, ...added },
    signal,
    stdio: [input ? 'pipe' : 'inherit', output ? 'pipe' : 'inherit', 'inherit']
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'ENOENT' ? new CommandError(`${file} is not installed on this machine`) : cause)
    )
    child.once('close', (code, killedBy) =>
      code === 0 ? resolve() : reject(new CommandError(`${file} ended with ${code ?? killedBy}`))
    )
  })
  const streams = [
    ...(input && child.stdin ? [pipeline(input, child.stdin)] : []),
    ...(output && child.stdout ? [pipeline(child.stdout, output)] : [])
  ]
  // The program's own end says more than a pipe that it closed.
  const piped = Promise.allSettled(streams)
  await ended
  const broken = (await piped).find((each) => each.status === 'rejected')
  if (broken) throw broken.reason
}
