import type { DatabaseType } from '@panel/contract/databases'
import type { DatabaseAccount } from '../database-server/database-server.ts'

export interface DumpOptions {
  maxBytes: number
  signal?: AbortSignal | undefined
  /** Without MariaDB's routines and events, which other hosts refuse. */
  isWithoutPrograms?: boolean
}

/** Dumps by the engine's own tool, as the database's account and without locking it. Every call has a time limit. */
export interface DatabaseDump {
  /**
   * Writes a complete dump into a new file with mode 0600 and counts its tables and rows; `sha256` is in hex. Rejects with database-dump-failed unless
   * the tool succeeded, the end marker is there and the count is that of the engine; disk-full above `maxBytes`.
   */
  dump(
    type: DatabaseType,
    account: DatabaseAccount,
    path: string,
    options: DumpOptions
  ): Promise<{ tables: number; rows: number; bytes: number; sha256: string }>
  /** Loads a dump of `dump` into an empty database. Stops at the first error with database-dump-failed. */
  load(type: DatabaseType, account: DatabaseAccount, path: string, signal: AbortSignal): Promise<void>
}
