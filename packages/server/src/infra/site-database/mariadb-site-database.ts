import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { type SentenceValues } from '@panel/contract/sentences'
import { type WordpressProblemCode } from '@panel/contract/wordpress-texts'
import { AdapterError } from '../adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DatabaseAccount } from '../database-server/database-server.ts'
import { addressesOf } from '../database-server/engine-address.ts'
import { quoteName } from '../database-server/mysql-names.ts'
import { withJobUser } from '../process/job-user.ts'
import type { SystemUser } from '../process/privileges.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { renderOptionFile } from './option-file.render.ts'
import type { SiteDatabase } from './site-database.ts'
import { groupBy, listTextTables, rewriteTable } from './text-rewriter.ts'

export interface MariadbOptions {
  run: Run
  /** An account that may move tables between databases: `mysql://user:password@host:port/`. */
  adminUrl: string
}

const connectTimeoutMs = 5_000
const queryTimeoutMs = 600_000
// Server shutting down or connection killed: https://mariadb.com/kb/en/mariadb-error-code-reference/.
const closedErrors = [1053, 1079, 1927]
const loadTimeoutMs = 3600_000
// More than a URL needs. Option names are unique unless a dump was crafted to fill the memory.
const optionLength = 4096
const optionRows = 100
const lockWaitSeconds = 5

// Denies a tenant's dump client commands (except \C and DELIMITER), file access and reconnects.
const loadOptions = [
  '--batch',
  '--binary-mode',
  '--sandbox',
  '--local-infile=0',
  '--skip-reconnect',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=256M',
  // WordPress uses zero dates, and rows come in any order. The whole load has a time limit.
  "--init-command=SET SESSION sql_mode='NO_AUTO_VALUE_ON_ZERO', foreign_key_checks=0, unique_checks=0 /*M! , max_statement_time=0 */"
]

export function createMariadbSiteDatabase({ run, adminUrl }: MariadbOptions): SiteDatabase {
  const admin = new URL(adminUrl)
  const address = addressesOf(adminUrl, 3306).server

  return {
    async load(account, sql, { signal }) {
      let problem: unknown
      sql.once('error', (error) => (problem = error))
      try {
        await withOptionFile(account, ({ file, ...place }) =>
          run(['mariadb', `--defaults-file=${file}`, ...loadOptions, `--database=${account.database}`], {
            ...place,
            input: sql,
            timeoutMs: loadTimeoutMs,
            ...(signal ? { signal } : {})
          })
        )
      } catch (cause) {
        // The source's error explains more: the client only sees the end of input.
        throw problem ?? loadFailure(cause)
      } finally {
        sql.destroy()
      }
    },

    listTables: (account) =>
      withConnection(account, async (connection) => {
        const tables = await listTextTables(connection)
        const [columns] = await connection.query<RowDataPacket[]>(
          'select table_name as tableName, column_name as name from information_schema.columns where table_schema = database()'
        )
        const byTable = groupBy(columns, (column) => column.tableName as string)
        return tables.map(({ name }) => ({
          name,
          columns: (byTable.get(name) ?? []).map((column) => column.name as string)
        }))
      }),

    listImmovable: (database) =>
      asAdmin(async (connection) => {
        const [rows] = await connection.query<RowDataPacket[]>(
          `select table_name as name from information_schema.views where table_schema = ?
           union select event_object_table from information_schema.triggers where trigger_schema = ? order by name`,
          [database, database]
        )
        return rows.map((row) => row.name as string)
      }),

    listPrograms: (database) =>
      asAdmin(async (connection) => {
        const [rows] = await connection.query<RowDataPacket[]>(
          `select table_name as name from information_schema.views where table_schema = ?
           union select trigger_name from information_schema.triggers where trigger_schema = ?
           union select routine_name from information_schema.routines where routine_schema = ?
           union select event_name from information_schema.events where event_schema = ? order by name`,
          [database, database, database, database]
        )
        return rows.map((row) => row.name as string)
      }),

    readOptions: (account, table, names, limit) =>
      withConnection(account, async (connection) => {
        const [rows] = await connection.query<RowDataPacket[]>({
          sql: `select option_name as name, left(convert(option_value using utf8mb4), ?) as value from ${quoteName(table)}
           where option_name in (?) limit ?`,
          values: [optionLength, names, optionRows],
          ...(limit && { timeout: limit.timeoutMs })
        })
        return new Map(rows.map((row) => [row.name as string, String(row.value ?? '')]))
      }),

    requireUnlocked: (account) =>
      withConnection(account, async (connection) => {
        await connection.query(`set session lock_wait_timeout = ${lockWaitSeconds}`)
        for (const { name } of await listTextTables(connection))
          await connection.query(`select 1 from ${quoteName(name)} limit 0`)
      }),

    dropOthers: (account, prefix) =>
      withConnection(account, async (connection) => {
        await connection.query('set session foreign_key_checks = 0')
        for (const name of await tablesOf(connection, account.database))
          if (!name.startsWith(prefix)) await connection.query(`drop table ${quoteName(name)}`)
      }),

    writeOptions: (account, table, values) =>
      withConnection(account, async (connection) => {
        for (const [name, value] of Object.entries(values))
          await connection.query(`update ${quoteName(table)} set option_value = ? where option_name = ?`, [value, name])
      }),

    rewriteTexts: (account, searchTerms, rewrite, { prefix = '', exceptColumn, ...options }) =>
      withConnection(account, async (connection) => {
        const total = { changed: 0, malformed: 0, tooLarge: 0 }
        for (const table of await listTextTables(connection)) {
          if (!table.name.startsWith(prefix)) continue
          const columns = table.columns.filter(({ name }) => name !== exceptColumn)
          await rewriteTable(connection, { ...table, columns }, { searchTerms, rewrite, ...options }, total)
        }
        return total
      }),

    exchange: ({ staged, live, previous, prefixes }) =>
      asAdmin(async (connection) => {
        const incoming = await tablesOf(connection, staged)
        if (incoming.length === 0) return
        const replaced = (await tablesOf(connection, live)).filter(
          (name) => incoming.includes(name) || prefixes.some((prefix) => name.startsWith(prefix))
        )
        await connection.query(`create database if not exists ${quoteName(ours(previous))}`)
        const move = (name: string, from: string, to: string) =>
          `${quoteName(from)}.${quoteName(name)} to ${quoteName(to)}.${quoteName(name)}`
        const moves = [
          ...replaced.map((name) => move(name, live, previous)),
          ...incoming.map((name) => move(name, staged, live))
        ]
        await connection.query(`rename table ${moves.join(', ')}`)
      }),

    dropPrevious: (previous) =>
      asAdmin(async (connection) => {
        await connection.query(`drop database if exists ${quoteName(ours(previous))}`)
      })
  }

  /** The client parses tenant-controlled data, so it runs as a per-job user who can access only this file. */
  async function withOptionFile<T>(
    account: DatabaseAccount,
    use: (client: { file: string; cwd: string; as: SystemUser | undefined }) => Promise<T>
  ): Promise<T> {
    const directory = await mkdtemp(join(tmpdir(), 'panel-client-'))
    try {
      const name = `${randomBytes(4).toString('hex')}.cnf`
      await writeFile(join(directory, name), renderOptionFile(account, address), { mode: 0o600, flag: 'wx' })
      return await withJobUser(directory, run, (user) => use({ file: `./${name}`, cwd: directory, as: user }))
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }

  function asAdmin<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const [user, password] = [admin.username, admin.password].map(decodeURIComponent)
    return connected({ user: user!, password: password! }, use)
  }

  function withConnection<T>(
    { database, username, password }: DatabaseAccount,
    use: (connection: Connection) => Promise<T>
  ): Promise<T> {
    return connected({ user: username, password, database }, use)
  }

  async function connected<T>(
    login: { user: string; password: string; database?: string },
    use: (connection: Connection) => Promise<T>
  ): Promise<T> {
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection({
      ...address,
      ...login,
      charset: 'utf8mb4',
      connectTimeout: connectTimeoutMs,
      supportBigNumbers: true,
      bigNumberStrings: true,
      dateStrings: true,
      jsonStrings: true
    }).catch((cause: unknown) => {
      throw unavailable(cause)
    })
    try {
      // MariaDB's own time limit also ends the statement. MySQL has none for changes.
      await connection.query(`set session sql_mode = '' /*M! , max_statement_time = ${queryTimeoutMs / 1000} */`)
      return await use(connection)
    } catch (cause) {
      if (!(cause instanceof Error) || !('sqlState' in cause)) throw cause
      if ('errno' in cause && closedErrors.includes(Number(cause.errno))) throw unavailable(cause)
      throw refused('DATABASE_SERVER_REFUSED', { answer: cause.message.slice(0, 300) }, cause)
    } finally {
      connection.destroy()
    }
  }
}

async function tablesOf(connection: Connection, database: string): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `select table_name as name from information_schema.tables where table_schema = ? and table_type = 'BASE TABLE'`,
    [database]
  )
  return rows.map((row) => row.name as string)
}

/** Guards against dropping anything but a database created by an import. */
function ours(database: string): string {
  if (!/^panel_[a-z]+_[0-9a-z]+$/.test(database)) throw new TypeError(`${database} is not an import database`)
  return database
}

const unavailable = (cause: unknown) =>
  new AdapterError(
    'database-server-unavailable',
    { code: 'DATABASE_SERVER_CLOSED' },
    {
      cause,
      reason: messageOf(cause)
    }
  )

function loadFailure(cause: unknown): unknown {
  if (!(cause instanceof ProcessError)) return cause
  if (cause.reason === 'failed') return refused('DUMP_REFUSED', { answer: lastLine(cause) }, cause)
  return refused('DUMP_NOT_LOADED', { problem: cause.message }, cause)
}

const refused = (code: WordpressProblemCode, values: SentenceValues, cause: Error): AdapterError =>
  new AdapterError('statements-refused', { code, values }, { cause })

const lastLine = ({ stderr, message }: ProcessError): string =>
  (stderr.trim().split('\n').at(-1) || message).slice(0, 300).toWellFormed()
