import { open } from 'node:fs/promises'
import { startChild } from './start-child.ts'

export interface Daemon {
  pid: number
  failure(): Error | undefined
  onExit(callback: () => void): void
}

/** Outlives this process, in its own session. The caller checks whether the program works. */
export async function startDaemon(
  argv: readonly [string, ...string[]],
  options: { logPath: string; env: Record<string, string> }
): Promise<Daemon> {
  const log = await open(options.logPath, 'a', 0o600)
  try {
    const child = await startChild(argv, { stdio: ['ignore', log.fd, log.fd], env: options.env, cwd: '/' })
    let failure: Error | undefined
    child.once('exit', (code, signal) => (failure = new Error(`${argv[0]} exited with ${code ?? signal}`)))
    child.unref()
    return { pid: child.pid!, failure: () => failure, onExit: (callback) => void child.once('exit', callback) }
  } finally {
    await log.close()
  }
}
