import { open } from 'node:fs/promises'
import { startChild } from './start-child.ts'

export interface Daemon {
  pid: number
  /** Why it is known to have ended, as long as this process lives; undefined while it runs. */
  failure(): Error | undefined
  /** Calls back when it ends. */
  onExit(callback: () => void): void
}

/**
 * Starts a program that outlives this process: a session of its own, output appended to the log file (mode 0600). Rejects when it
 * cannot be started at all; whether it serves is for the caller to find out.
 */
export async function startDaemon(
  argv: readonly [string, ...string[]],
  options: { logPath: string; env: Record<string, string> }
): Promise<Daemon> {
  const log = await open(options.logPath, 'a', 0o600)
  try {
    const child = await startChild(argv, { stdio: ['ignore', log.fd, log.fd], env: options.env, cwd: '/' })
    let failure: Error | undefined
    child.once('exit', (code, signal) => (failure = new Error(`${argv[0]} ended with ${code ?? signal}`)))
    child.unref()
    return { pid: child.pid!, failure: () => failure, onExit: (callback) => void child.once('exit', callback) }
  } finally {
    await log.close()
  }
}
