import pg from 'pg'
import type { DatabaseAccount, DatabaseServer } from './database-server.ts'
import { connectionLimit, type DatabaseServerOptions, defaultTimeouts } from './database-server-options.ts'
import { addressesOf } from './engine-address.ts'
import { databaseRefused, nameExists, unavailable } from './engine-problem.ts'
import { isRefusal, type PostgresqlLogin, type Query, readVersion, withPostgresql } from './postgresql-session.ts'
import { scramVerifier } from './scram-verifier.ts'

const quote = pg.escapeIdentifier
const duplicateDatabase = '42P04'
const lockLimitMs = 5_000
// Objects of the template have OIDs below FirstNormalObjectId.
const firstOwnOid = 16_384

/** PostgreSQL 13 or newer. A database belongs to its owner, which CREATE DATABASE sets in the same statement. */
export function createPostgresqlServer(options: DatabaseServerOptions): DatabaseServer {
  const { adminUrl, internalHost, queryTimeoutMs, changeTimeoutMs } = { ...defaultTimeouts, ...options }
  const { server, host } = addressesOf(adminUrl, 5432)
  const session = async <T>(limitMs: number, work: (query: Query) => Promise<T>, database?: string) => {
    try {
      return await withPostgresql(adminLogin(adminUrl, limitMs, database), limitMs, async (query) => {
        await query('SET ROLE NONE')
        return work(query)
      })
    } catch (error) {
      throw unavailable('PostgreSQL', error)
    }
  }
  const ask = <T>(work: (query: Query) => Promise<T>) => session(queryTimeoutMs, work)
  const change = <T>(work: (query: Query) => Promise<T>) => session(changeTimeoutMs, work)
  const changeWithin = <T>(database: string, work: (query: Query) => Promise<T>) =>
    session(changeTimeoutMs, work, database)

  return {
    maxUsernameLength: 63,
    ping: () => ask(readVersion),
    addresses: async (gateway) => ({ internal: { host: await internalHost(gateway), port: host.port }, host }),
    async provision({ database, username, password }) {
      await change(async (query) => {
        const found = await find(query, database)
        if (found && found.owner !== username) throw nameExists(database)
        await ensureRole(query, username, password)
        if (!found) await create(query, database, username)
        await query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${quote(database)} FROM PUBLIC`)
        await query(`ALTER DATABASE ${quote(database)} ALLOW_CONNECTIONS true`)
      })
      await changeWithin(database, async (query) => {
        if ((await query(`SELECT FROM pg_namespace WHERE nspname = 'public'`)).length === 0) return
        await query(`ALTER SCHEMA public OWNER TO ${quote(username)}`)
        await query('REVOKE ALL ON SCHEMA public FROM PUBLIC')
      })
    },
    async setPassword({ username, password }) {
      const verifier = await scramVerifier(password)
      await change((query) => query(`ALTER ROLE ${quote(username)} PASSWORD ${pg.escapeLiteral(verifier)}`))
    },
    limitAccounts: (usernames) =>
      change(async (query) => {
        const sql = 'SELECT rolname FROM pg_roles WHERE rolname = ANY($1) AND rolconnlimit <> $2'
        for (const { rolname } of await query<{ rolname: string }>(sql, [usernames, connectionLimit]))
          await query(`ALTER ROLE ${quote(rolname)} CONNECTION LIMIT ${connectionLimit}`)
      }),
    async drop({ database, username }, { onlyIfEmpty = false } = {}) {
      const found = await change((query) => find(query, database))
      if (found?.owner === username) {
        // A database that accepts no connections yet never had any content.
        if (onlyIfEmpty && found.isOpen && !(await changeWithin(database, isEmpty))) return
        await change(async (query) => {
          await lockOut(query, username)
          // The owner may have made it a template, and templates cannot be dropped.
          await query(`ALTER DATABASE ${quote(database)} IS_TEMPLATE false`)
          await query(`DROP DATABASE ${quote(database)} WITH (FORCE)`)
        })
      }
      for (const database of await change((query) => databasesNaming(query, username)))
        await changeWithin(database, (query) => query(`DROP OWNED BY ${quote(username)}`))
      await change((query) => query(`DROP ROLE IF EXISTS ${quote(username)}`))
    },
    async test({ database, username, password }: DatabaseAccount) {
      const startedAt = performance.now()
      const login = { ...server, database, user: username, password }
      try {
        const serverVersion = await withPostgresql(login, queryTimeoutMs, readVersion)
        return { latencyMs: Math.round((performance.now() - startedAt) * 10) / 10, serverVersion }
      } catch (error) {
        throw isRefusal(error) ? databaseRefused(error) : unavailable('PostgreSQL', error)
      }
    },
    async sizes(databases) {
      if (databases.length === 0) return new Map()
      const sql = 'SELECT datname, pg_database_size(oid) AS bytes FROM pg_database WHERE datname = ANY($1)'
      const rows = await ask((query) => query<{ datname: string; bytes: string | null }>(sql, [databases]))
      return new Map(rows.flatMap(({ datname, bytes }) => (bytes === null ? [] : [[datname, Number(bytes)]])))
    },
    async countConnections() {
      const sql =
        "SELECT count(*) AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
      const [row] = await ask((query) => query<{ n: string }>(sql))
      return Number(row?.n ?? 0)
    }
  }
}

// An owner can store database settings that apply to every session in it: a search_path that shadows the catalogs, a
// timeout, a role, a missing library. The settings given at login override them for the admin session. The lock timeout
// is short because an owner can lock their own objects.
function adminLogin(adminUrl: string, limitMs: number, database: string | undefined): PostgresqlLogin {
  const url = new URL(adminUrl)
  if (database !== undefined) url.pathname = `/${encodeURIComponent(database)}`
  url.searchParams.delete('options')
  const settings = {
    search_path: 'pg_catalog',
    statement_timeout: limitMs,
    lock_timeout: Math.min(limitMs, lockLimitMs),
    local_preload_libraries: '',
    default_transaction_read_only: 'off'
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return { connectionString: url.href, options: options.join(' ') }
}

async function find(query: Query, database: string): Promise<{ owner: string; isOpen: boolean } | undefined> {
  const [row] = await query<{ owner: string; isOpen: boolean }>(
    'SELECT pg_get_userbyid(datdba) AS owner, datallowconn AS "isOpen" FROM pg_database WHERE datname = $1',
    [database]
  )
  return row
}

async function ensureRole(query: Query, username: string, password: string): Promise<void> {
  const [{ exists, isSuperuser } = { exists: false, isSuperuser: false }] = await query<{
    exists: boolean
    isSuperuser: boolean
  }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists, rolsuper AS "isSuperuser"
     FROM pg_roles WHERE rolname = current_user`,
    [username]
  )
  const what = exists ? 'ALTER' : 'CREATE'
  const limits = exists ? '' : 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS'
  const verifier = pg.escapeLiteral(await scramVerifier(password))
  const name = quote(username)
  await query(`${what} ROLE ${name} LOGIN ${limits} CONNECTION LIMIT ${connectionLimit} PASSWORD ${verifier}`)
  // Only a superuser may assign a database to a role it is not a member of.
  if (!isSuperuser) await query(`GRANT ${name} TO CURRENT_USER`)
}

/** Terminate first, because a session may hold a lock on the role, and again for sessions that connected in between. */
async function lockOut(query: Query, username: string): Promise<void> {
  const endConnections = () =>
    query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [username])
  await endConnections()
  await query(`ALTER ROLE ${quote(username)} NOLOGIN`)
  await endConnections()
}

/** Accepts no connections until CONNECT is revoked from PUBLIC, so that other accounts cannot connect in between. */
async function create(query: Query, database: string, username: string): Promise<void> {
  const how = "TEMPLATE template0 ENCODING 'UTF8' ALLOW_CONNECTIONS false"
  try {
    await query(`CREATE DATABASE ${quote(database)} OWNER ${quote(username)} ${how}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== duplicateDatabase) throw error
    if ((await find(query, database))?.owner !== username) throw nameExists(database)
  }
}

async function isEmpty(query: Query): Promise<boolean> {
  const catalogs = ['pg_class', 'pg_proc', 'pg_type', 'pg_namespace', 'pg_largeobject_metadata']
  const any = catalogs.map((catalog) => `EXISTS (SELECT FROM ${catalog} WHERE oid >= ${firstOwnOid})`).join(' OR ')
  const [row] = await query<{ any: boolean }>(`SELECT ${any} AS any`)
  return !row!.any
}

async function databasesNaming(query: Query, username: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT DISTINCT coalesce(d.datname, current_database()) AS name
     FROM pg_shdepend s JOIN pg_roles r ON r.oid = s.refobjid LEFT JOIN pg_database d ON d.oid = s.dbid
     WHERE s.refclassid = 'pg_authid'::regclass AND r.rolname = $1`,
    [username]
  )
  return rows.map(({ name }) => name)
}
