import type { Readable } from 'node:stream'
import type { DatabaseAccount } from '../database-server/database-server.ts'

/** A table and its columns. */
interface SiteTable {
  name: string
  columns: readonly string[]
}

/** Rewrites a text given as a binary string (one character per byte); `isMalformed` texts stay unchanged. */
export type RewriteText = (text: string) => { value: string; isMalformed: boolean }

/** Number of changed and of malformed texts, and of rows that were too large. */
export interface RewriteCounts {
  changed: number
  malformed: number
  tooLarge: number
}

/**
 * The database of one site, on the MySQL engine. Statements run as the account, so a dump gets no extra privileges. All
 * calls have a time limit and reject with AdapterError database-server-unavailable if the engine is down.
 */
export interface SiteDatabase {
  /** Dumps a consistent snapshot into a new file with mode 0600. Rejects with disk-full above `maxBytes`. */
  dump(account: DatabaseAccount, path: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<void>
  /**
   * Runs an SQL dump as the account, in a client without client commands, file access or shell. Stops at the first
   * error with statements-refused, which has the engine's message and line.
   */
  load(account: DatabaseAccount, sql: Readable, options: { signal?: AbortSignal }): Promise<void>
  /** Base tables; no views. */
  listTables(account: DatabaseAccount): Promise<SiteTable[]>
  /** Names of views and of tables with triggers, which `exchange` cannot move. */
  listImmovable(database: string): Promise<string[]>
  /** Names of views, triggers, routines and events. */
  listPrograms(database: string): Promise<string[]>
  /** Option values by name; long values are cut. */
  readOptions(account: DatabaseAccount, table: string, names: readonly string[]): Promise<Map<string, string>>
  writeOptions(account: DatabaseAccount, table: string, values: Readonly<Record<string, string>>): Promise<void>
  /**
   * Rewrites every text that contains one of `searchTerms` (case-insensitive), row by row in bounded memory, yielding
   * to the event loop. Tables without a key get a temporary one. Skips rows with more than `maxRowBytes` of text.
   */
  rewriteTexts(
    account: DatabaseAccount,
    searchTerms: readonly string[],
    rewrite: RewriteText,
    options: { maxRowBytes: number; signal?: AbortSignal }
  ): Promise<RewriteCounts>
  /**
   * Atomically moves all tables of `staged` into `live`, and the tables they replace into `previous`, which is created.
   * A live table is replaced if it has the same name as a staged one or starts with one of `prefixes`. Idempotent.
   */
  exchange(names: { staged: string; live: string; previous: string; prefixes: readonly string[] }): Promise<void>
  /** Drops the database that `exchange` created. */
  dropPrevious(previous: string): Promise<void>
}
