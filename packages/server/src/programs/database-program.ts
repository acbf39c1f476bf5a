import type { Run } from '../infra/process/process.ts'

export interface DatabaseProgramOptions {
  directory: string
  listen: readonly string[]
  port: number
  containerSubnets: readonly string[]
  /** Admin account; it may only connect from this machine. */
  admin: { name: string; password: string }
  run: Run
  contain?: (pids: readonly number[]) => Promise<void>
}

/** Long, because after a power failure the server recovers first. */
export const databaseLimits = { startMs: 15 * 60_000, stopMs: 60_000 }

export const readableByServer = 0o640
