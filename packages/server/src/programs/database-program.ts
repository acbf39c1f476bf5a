import type { Run } from '../infra/process/process.ts'

export interface DatabaseProgramOptions {
  directory: string
  listen: readonly string[]
  port: number
  /** Who may connect besides this machine: the containers' networks in CIDR notation. */
  containerSubnets: readonly string[]
  /** The administrator; only programs on this machine may be it. */
  admin: { name: string; password: string }
  run: Run
  /** See ManagedProgram. */
  contain?: (pids: readonly number[]) => Promise<void>
}

/** After a power cut a server first makes its data whole. */
export const databaseLimits = { startMs: 15 * 60_000, stopMs: 60_000 }

/** Root's own, and of the server's group. */
export const readableByServer = 0o640
