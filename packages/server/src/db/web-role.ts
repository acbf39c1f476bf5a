import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { connectLimitMs } from './connect-limit.ts'

const role = 'panel_web'

/**
 * Creates or updates the database role of the API process, on the panel's own server: it can change rows but not
 * tables, can read the audit log but only append to audit_pending, and is not a superuser (who can run programs).
 * Resolves with its connection string. Call when all tables exist.
 */
export async function prepareWebRole(connectionString: string, passwordFile: string): Promise<string> {
  const password = await readOrMakePassword(passwordFile)
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'panel-role'
  })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    // CREATE ROLE takes no parameters; the password is our own and alphanumeric.
    if (rowCount === 0) await client.query(`create role ${role} login password '${password}'`)
    else await client.query(`alter role ${role} login password '${password}'`)
    await client.query(rights)
  } finally {
    await client.end()
  }
  const url = new URL(connectionString)
  url.username = role
  url.password = password
  return url.href
}

const rights = ['public', 'pgboss']
  .map(
    (schema) => `
      grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role};
      grant usage, select on all sequences in schema ${schema} to ${role};
      grant execute on all functions in schema ${schema} to ${role};`
  )
  .concat(
    `revoke insert, update, delete on audit_log from ${role};
     revoke update, delete on audit_pending from ${role};`
  )
  .join('\n')

/** Kept on disk, so that an API process that survives a worker crash stays connected. */
async function readOrMakePassword(path: string): Promise<string> {
  await writeFile(path, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    }
  )
  return readFile(path, 'utf8')
}
