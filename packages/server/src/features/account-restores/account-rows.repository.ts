import { sql } from 'drizzle-orm'
import type { AccountItemKind } from '@panel/contract/account-restores'
import type { Queryable, Transaction } from '../../db/database.ts'

interface AccountTable {
  table: string
  /** The rows of what comes back, by their ids in `ids`. */
  kind: Exclude<AccountItemKind, 'DATABASE'>
  column: string
  /** More conditions. */
  where?: string
  /** Columns that a new row does not take from the backup: what belongs to running things, and what was applied. */
  values?: Readonly<Record<string, unknown>>
  /** Columns that take the value of another one. */
  copies?: Readonly<Record<string, string>>
  /** The row may still be there, marked as deleted. Columns that then stay. */
  keeps?: readonly string[]
}

const unapplied = { applied_revision: 0 }

/**
 * Rows of an account in the order of their references. Not part of a restore are sessions, API tokens, notifications
 * and histories; databases are created by their engine.
 */
const accountTables: readonly AccountTable[] = [
  {
    table: 'users',
    kind: 'ACCOUNT',
    column: 'id',
    values: { deleted_at: null, near_quotas: [], disk_over_since: null, totp_last_step: null },
    keeps: ['uid']
  },
  { table: 'recovery_codes', kind: 'ACCOUNT', column: 'user_id' },
  { table: 'registries', kind: 'ACCOUNT', column: 'user_id' },
  { table: 'env_groups', kind: 'VARIABLE_GROUP', column: 'id' },
  {
    table: 'projects',
    kind: 'PROJECT',
    column: 'id',
    values: {
      deleted_at: null,
      live_deployment_id: null,
      container_id: null,
      container_status: null,
      internal_port: null,
      deployed_domain: null,
      deployed_at: null,
      proxy_pool: null,
      mounted_volumes: '',
      stop_reason: null,
      out_of_memory_at: null,
      out_of_memory_mb: null,
      files_name: null,
      asleep_since: null,
      woken_at: null
    },
    // The machine that its containers were on may be gone.
    copies: { node_id: 'files_node_id' },
    keeps: []
  },
  { table: 'env_vars', kind: 'PROJECT', column: 'project_id', where: 'database_id is null' },
  { table: 'env_vars', kind: 'VARIABLE_GROUP', column: 'group_id' },
  { table: 'project_env_groups', kind: 'PROJECT', column: 'project_id' },
  {
    table: 'processes',
    kind: 'PROJECT',
    column: 'project_id',
    values: { crashing_since: null, last_lines: null, out_of_memory_at: null, out_of_memory_mb: null }
  },
  {
    table: 'volumes',
    kind: 'PROJECT',
    column: 'project_id',
    where: 'deleted_at is null',
    values: { files_name: null, over_since: null }
  },
  { table: 'tcp_ports', kind: 'PROJECT', column: 'project_id' },
  { table: 'scheduled_jobs', kind: 'PROJECT', column: 'project_id' },
  { table: 'project_backup_settings', kind: 'PROJECT', column: 'project_id' },
  { table: 'uptime_checks', kind: 'PROJECT', column: 'project_id' },
  { table: 'status_pages', kind: 'PROJECT', column: 'project_id' },
  { table: 'host_names', kind: 'PROJECT', column: 'project_id' },
  { table: 'project_rules', kind: 'PROJECT', column: 'project_id' },
  // The original of a staging copy may not come back.
  { table: 'wordpress_sites', kind: 'PROJECT', column: 'project_id', values: { staging_of: null } },
  { table: 'domains', kind: 'DOMAIN', column: 'id' },
  { table: 'dns_zones', kind: 'DOMAIN', column: 'domain_id', values: { ...unapplied, problem: null } },
  { table: 'dns_records', kind: 'DOMAIN', column: 'domain_id' },
  { table: 'domain_rules', kind: 'DOMAIN', column: 'domain_id' },
  { table: 'certificates', kind: 'DOMAIN', column: 'domain_id', values: { pending_order: null } },
  { table: 'mail_domains', kind: 'DOMAIN', column: 'domain_id', values: { ...unapplied, is_opening: false } },
  { table: 'mail_authentication', kind: 'DOMAIN', column: 'domain_id', values: unapplied },
  { table: 'mail_filter_settings', kind: 'DOMAIN', column: 'domain_id', values: unapplied },
  { table: 'mail_aliases', kind: 'DOMAIN', column: 'domain_id' },
  { table: 'dkim_keys', kind: 'DOMAIN', column: 'domain_id' },
  {
    table: 'mailboxes',
    kind: 'MAILBOX',
    column: 'id',
    values: { deleted_at: null, purge_at: null, kept_at: null },
    keeps: ['kept_at']
  },
  { table: 'sftp_users', kind: 'SFTP', column: 'id', values: { ...unapplied, removed_at: null }, keeps: [] }
]

/** Tables of the backup that a restore of an account reads, and what these refer to. */
export const readTables: readonly string[] = [
  ...new Set([...accountTables.map(({ table }) => table), 'nodes', 'settings', 'databases', 'deployments'])
]

type ReturningIds = Readonly<Partial<Record<AccountItemKind, readonly string[]>>>

/** Copies the rows of what comes back from the backup, as they were. */
export async function copyRows(from: Queryable, trx: Transaction, ids: ReturningIds): Promise<void> {
  for (const table of accountTables) {
    const wanted = ids[table.kind] ?? []
    if (wanted.length > 0) await copyTable(from, trx, table, wanted)
  }
}

async function copyTable(
  from: Queryable,
  trx: Transaction,
  { table, column, where = 'true', values = {}, copies = {}, keeps }: AccountTable,
  ids: readonly string[]
): Promise<void> {
  const name = sql.identifier(table)
  const belongs = sql`${sql.identifier(column)} = any(${sql.param([...ids])}::text[]) and ${sql.raw(where)}`
  const rows = await readRows(from, sql`select * from ${name} where ${belongs}`)
  // What a deletion has left of it.
  if (keeps === undefined) await trx.execute(sql`delete from ${name} where ${belongs}`)
  if (rows === undefined) return
  const copied = Object.entries(copies).map(([to, of]) => sql` || jsonb_build_object(${to}::text, value -> ${of})`)
  const value = sql`value || ${JSON.stringify(values)}::jsonb${sql.join(copied)}`
  const update = keeps === undefined ? sql`do nothing` : await replacing(trx, table, keeps)
  await trx.execute(sql`
    insert into ${name} select (jsonb_populate_record(null::${name}, ${value})).*
    from jsonb_array_elements(${rows}::jsonb) on conflict ${update}`)
}

/** As text, so that no number loses digits. Undefined if there are none. */
async function readRows(from: Queryable, query: ReturnType<typeof sql>): Promise<string | undefined> {
  const { rows } = await from.execute<{ rows: string | null }>(sql`select jsonb_agg(t)::text as rows from (${query}) t`)
  return rows[0]?.rows ?? undefined
}

async function replacing(trx: Transaction, table: string, keeps: readonly string[]) {
  const { rows } = await trx.execute<{ name: string }>(sql`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name <> all(${sql.param(['id', ...keeps])}::text[])`)
  const set = rows.map(({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`)
  return sql`(id) do update set ${sql.join(set, sql`, `)}`
}

/** Variables that were deleted since, of projects that exist. */
export async function copyVariables(from: Queryable, trx: Transaction, ids: readonly string[]): Promise<void> {
  const rows = await readRows(from, sql`select * from env_vars where id = any(${sql.param([...ids])}::text[])`)
  if (rows === undefined) return
  await trx.execute(sql`
    insert into env_vars select (jsonb_populate_record(null::env_vars, value)).*
    from jsonb_array_elements(${rows}::jsonb) on conflict do nothing`)
}

/** Names of the server that belong to the account because of its domains. */
export async function copyHostNames(from: Queryable, trx: Transaction, userId: string, domainIds: readonly string[]) {
  const rows = await readRows(
    from,
    sql`select h.* from host_names h where h.user_id = ${userId}
      and h.hostname in (select hostname from domains where id = any(${sql.param([...domainIds])}::text[]))`
  )
  if (rows === undefined) return
  await trx.execute(sql`
    insert into host_names select (jsonb_populate_record(null::host_names, value)).*
    from jsonb_array_elements(${rows}::jsonb) on conflict do nothing`)
}

/** What must agree with the rows that came back: their zones and mail domains, and the number of projects. */
export async function settleRows(
  trx: Transaction,
  userId: string,
  { domainIds, mailboxIds }: { domainIds: readonly string[]; mailboxIds: readonly string[] }
): Promise<void> {
  await trx.execute(sql`
    update mail_domains set revision = revision + 1
    where domain_id in (select domain_id from mailboxes where id = any(${sql.param([...mailboxIds])}::text[]))`)
  // Serials never decrease, also those of zones that were deleted meanwhile.
  await trx.execute(sql`
    update dns_zones z set revision = z.revision + 1,
      serial = greatest(z.serial, (select f.serial from former_zones f where f.name = z.name)) + 1
    where domain_id in (select zone_id from domains where id = any(${sql.param([...domainIds])}::text[]))`)
  await trx.execute(sql`
    update users set project_count = (select count(*) from projects where user_id = users.id and deleted_at is null)
    where id = ${userId}`)
}

/** In the copy of the backup: removes links to projects and groups that are not there after the restore. */
export async function dropLinks(
  scratch: Queryable,
  { projectIds, groupIds }: { projectIds: readonly string[]; groupIds: readonly string[] }
): Promise<void> {
  const none = (ids: readonly string[]) => sql`<> all(${sql.param([...ids])}::text[])`
  await scratch.execute(sql`update domains set project_id = null where project_id ${none(projectIds)}`)
  await scratch.execute(sql`delete from project_env_groups where group_id ${none(groupIds)}`)
}
