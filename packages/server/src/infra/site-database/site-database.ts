import type { Readable } from 'node:stream'
import type { DatabaseAccount } from '../database-server/database-server.ts'

interface SiteTable {
  name: string
  columns: readonly string[]
}

/** Rewrites a text given as a binary string (one character per byte); `isMalformed` texts stay unchanged. */
export type RewriteText = (text: string) => { value: string; isMalformed: boolean }

export interface RewriteCounts {
  changed: number
  malformed: number
  tooLarge: number
}

export interface RewriteOptions {
  maxRowBytes: number
  /** Only tables whose names start with it. */
  prefix?: string
  /** Columns of this name stay. */
  exceptColumn?: string
  isDryRun?: boolean
  signal?: AbortSignal
}

/** Statements run as the account, so a dump gets no extra privileges. All calls have a time limit. */
export interface SiteDatabase {
  /** In a client without commands, file access or shell. Stops at the first error with statements-refused. */
  load(account: DatabaseAccount, sql: Readable, options: { signal?: AbortSignal }): Promise<void>
  listTables(account: DatabaseAccount): Promise<SiteTable[]>
  /** Names of views and of tables with triggers, which `exchange` cannot move. */
  listImmovable(database: string): Promise<string[]>
  listPrograms(database: string): Promise<string[]>
  readOptions(
    account: DatabaseAccount,
    table: string,
    names: readonly string[],
    limit?: { timeoutMs: number }
  ): Promise<Map<string, string>>
  /** Rejects with statements-refused if a table stays locked by another connection. */
  requireUnlocked(account: DatabaseAccount): Promise<void>
  /** Drops tables whose names do not start with `prefix`. */
  dropOthers(account: DatabaseAccount, prefix: string): Promise<void>
  writeOptions(account: DatabaseAccount, table: string, values: Readonly<Record<string, string>>): Promise<void>
  /**
   * Finds rows case-insensitively, in bounded memory. Tables without a key get a temporary one; rows above `maxRowBytes`
   * are skipped. `isDryRun` only counts; of tables without a key, it counts rows.
   */
  rewriteTexts(
    account: DatabaseAccount,
    searchTerms: readonly string[],
    rewrite: RewriteText,
    options: RewriteOptions
  ): Promise<RewriteCounts>
  /**
   * Atomic and idempotent. Live tables with a staged name or one of `prefixes` move into `previous`, which is created.
   */
  exchange(names: { staged: string; live: string; previous: string; prefixes: readonly string[] }): Promise<void>
  dropPrevious(previous: string): Promise<void>
}
