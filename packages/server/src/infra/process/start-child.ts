import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { commandFor } from './privileges.ts'
import { ProcessError, type RunOptions } from './process.ts'
import { programPath } from './program-path.ts'

/**
 * Starts a program in its own process group. Any start failure rejects with ProcessError: without memory Node throws
 * synchronously; without file descriptors it returns a child without pipes and emits an error later, which would crash
 * this process if unhandled.
 */
export function startChild(
  argv: readonly [string, ...string[]],
  { as, cwd, ...options }: Omit<SpawnOptions, 'cwd'> & { env: Record<string, string> } & Pick<RunOptions, 'as' | 'cwd'>
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown) => reject(startProblem(argv[0], cause))
    try {
      const [program, ...args] = commandFor(argv, options.env.PATH ?? programPath, { as, cwd })
      const child = spawn(program, args, { detached: true, ...options, ...(cwd === undefined ? {} : { cwd }) })
      child.once('spawn', () => resolve(child))
      child.on('error', refuse)
    } catch (cause) {
      refuse(cause)
    }
  })
}

function startProblem(file: string, cause: unknown): ProcessError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  if (code === 'ENOENT') return new ProcessError(`${file}: is not installed`, 'missing', undefined, '')
  // Errors without `syscall` mean invalid arguments, such as NUL bytes.
  const isRefused = cause instanceof Error && 'syscall' in cause
  return new ProcessError(
    `${file}: could not be started (${code})`,
    isRefused ? 'not-started' : 'failed',
    undefined,
    ''
  )
}

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
