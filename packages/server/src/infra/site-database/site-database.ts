import type { Readable } from 'node:stream'
import type { DatabaseAccount } from '../database-server/database-server.ts'

/** A column of texts that may hold web addresses, and the rows that may be told apart in its table. */
interface SiteTable {
  name: string
  columns: readonly string[]
}

/** What a table's texts are put into: binary, one character per byte, with whether they were left as they are since they are broken. */
export type RewriteText = (text: string) => { value: string; isMalformed: boolean }

/** Texts that were changed, and that were broken; and rows that were too large. */
export interface RewriteCounts {
  changed: number
  malformed: number
  tooLarge: number
}

/**
 * The database of one site, on the engine that `databaseServers.MYSQL` speaks for. What an account may do is that account's own: nothing
 * here gives a dump more. Rejects with AdapterError database-server-unavailable when the engine is away; every call has a time limit.
 */
export interface SiteDatabase {
  /** Writes all of it to a new file of mode 0600, as of one moment. Rejects with disk-full above `maxBytes`. */
  dump(account: DatabaseAccount, path: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<void>
  /**
   * Runs statements as the account, by a client that has no commands of its own, no files and no shell. The first error ends it:
   * statements-refused with the engine's sentence and the line.
   */
  load(account: DatabaseAccount, sql: Readable, options: { signal?: AbortSignal }): Promise<void>
  /** Its tables; views are none. */
  listTables(account: DatabaseAccount): Promise<SiteTable[]>
  /** Names of its views and of tables with triggers, neither of which `exchange` can move. */
  listImmovable(database: string): Promise<string[]>
  /** Names of its views, triggers, routines and events: all that does something, and is no table. */
  listPrograms(database: string): Promise<string[]>
  /** Values of the options table by name; of a long one the beginning. */
  readOptions(account: DatabaseAccount, table: string, names: readonly string[]): Promise<Map<string, string>>
  writeOptions(account: DatabaseAccount, table: string, values: Readonly<Record<string, string>>): Promise<void>
  /**
   * Puts every text in which one of `searchTerms` occurs, in any case, through `rewrite`: row by row, in bounded memory, with turns for others
   * in between. Tables without a key get one for the time being. Rows with more than `maxRowBytes` of text are left as they are.
   */
  rewriteTexts(
    account: DatabaseAccount,
    searchTerms: readonly string[],
    rewrite: RewriteText,
    options: { maxRowBytes: number; signal?: AbortSignal }
  ): Promise<RewriteCounts>
  /**
   * Moves all tables of `staged` into `live`, and those of `live` that they replace into `previous`, which is made: all in one statement, so
   * nobody sees half of it. A table is replaced when one of the same name comes, or when its name begins with one of `prefixes`.
   * Repeating it afterwards changes nothing.
   */
  exchange(names: { staged: string; live: string; previous: string; prefixes: readonly string[] }): Promise<void>
  /** Removes what `exchange` has put aside. */
  dropPrevious(previous: string): Promise<void>
}
