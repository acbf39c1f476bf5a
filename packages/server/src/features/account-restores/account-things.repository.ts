import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import type { StoredUpload } from '../../db/schema/deployments.ts'
import type { AccountThing, HeldName } from './account-plan.policy.ts'

/** What the account has, in the order in which it is shown. The same query reads the backup and the server. */
export async function listThings(db: Queryable, userId: string): Promise<AccountThing[]> {
  const { rows } = await db.execute<AccountThing & Record<string, unknown>>(sql`
    select 1 as place, 'ACCOUNT' as kind, 'ACCOUNT:' || id as key, email as name, array[]::text[] as needs
      from users where id = ${userId} and deleted_at is null
    union all
    select 2, 'VARIABLE_GROUP', 'VARIABLE_GROUP:' || id, name, array[]::text[] from env_groups where user_id = ${userId}
    union all
    select 3, 'PROJECT', 'PROJECT:' || id, name, array[]::text[]
      from projects where user_id = ${userId} and deleted_at is null
    union all
    select 5, 'DATABASE', 'DATABASE:' || d.id, d.name, array_remove(array['PROJECT:' || p.id], null)
      from databases d left join projects p on p.id = d.project_id and p.deleted_at is null
      where d.user_id = ${userId} and d.status = 'ACTIVE'
    union all
    select 6, 'DOMAIN', 'DOMAIN:' || id, hostname || coalesce(path_prefix, ''),
        array_remove(array['DOMAIN:' || parent_id, 'DOMAIN:' || nullif(zone_id, id)], null)
      from domains where user_id = ${userId}
    union all
    select 7, 'MAILBOX', 'MAILBOX:' || id, local_part || '@' || domain_name, array['DOMAIN:' || domain_id]
      from mailboxes where user_id = ${userId} and deleted_at is null
    union all
    select 8, 'SFTP', 'SFTP:' || id, linux_username, array[]::text[]
      from sftp_users where user_id = ${userId} and removed_at is null
    order by 1, 4, 3`)
  return rows.map(({ key, kind, name, needs }) => ({ key, kind, name, needs }))
}

/** Names that are unique on the server or in the account, with the row that has each. */
const heldNames = sql`
  select 'account:' || lower(email) as name, id as holder, id as user_id, 'ACCOUNT:' || id as item
    from users where deleted_at is null
  union all
  select 'group:' || user_id || '/' || name, id, user_id, 'VARIABLE_GROUP:' || id from env_groups
  union all
  select 'project:' || user_id || '/' || name, id, user_id, 'PROJECT:' || id from projects where deleted_at is null
  union all
  select 'host:' || h.hostname, 'project:' || p.id, p.user_id, 'PROJECT:' || p.id
    from host_names h join projects p on p.id = h.project_id
  union all
  select 'host:' || h.hostname, 'user:' || h.user_id, h.user_id, 'DOMAIN:' || d.id
    from host_names h left join domains d on d.user_id = h.user_id and d.hostname = h.hostname
    where h.user_id is not null
  union all
  select 'route:' || hostname || coalesce(path_prefix, ''), id, user_id, 'DOMAIN:' || id
    from domains where status = 'ACTIVE'
  union all
  select 'claim:' || user_id || '/' || hostname || coalesce(path_prefix, ''), id, user_id, 'DOMAIN:' || id from domains
  union all
  select 'zone:' || z.name, d.id, d.user_id, 'DOMAIN:' || d.id from dns_zones z join domains d on d.id = z.domain_id
  union all
  select 'mail:' || m.name, d.id, d.user_id, 'DOMAIN:' || d.id from mail_domains m join domains d on d.id = m.domain_id
  union all
  select 'database:' || type || '/' || lower(name), id, user_id, 'DATABASE:' || id from databases
  union all
  select 'database-user:' || username, id, user_id, 'DATABASE:' || id from databases
  union all
  select 'mailbox:' || local_part || '@' || domain_name, id, user_id, 'MAILBOX:' || id
    from mailboxes where deleted_at is null
  union all
  select 'sftp:' || linux_username, id, user_id, 'SFTP:' || id from sftp_users
  union all
  select 'sftp-of:' || user_id, id, user_id, 'SFTP:' || id from sftp_users`

type HeldRow = Record<'name' | 'holder' | 'user_id', string> & { item: string | null }

const heldName = ({ user_id: userId, name, holder, item }: HeldRow): HeldName => ({ name, holder, userId, item })

export async function listNamesOf(db: Queryable, userId: string): Promise<HeldName[]> {
  const { rows } = await db.execute<HeldRow>(
    sql`select * from (${heldNames}) held where user_id = ${userId} and item is not null`
  )
  return rows.map(heldName)
}

export async function listHolders(db: Queryable, names: readonly string[]): Promise<HeldName[]> {
  if (names.length === 0) return []
  const { rows } = await db.execute<HeldRow>(
    sql`select * from (${heldNames}) held where name = any(${sql.param([...new Set(names)])}::text[])`
  )
  return rows.map(heldName)
}

/** Keys of what is still being created or removed: a deletion ends in jobs and the reconcile loop. */
export async function listLeaving(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select 'DATABASE:' || id as key from databases where user_id = ${userId} and status <> 'ACTIVE'
    union all
    select 'SFTP:' || id from sftp_users where user_id = ${userId} and removed_at is not null
    union all
    select 'MAILBOX:' || id from mailboxes
      where user_id = ${userId} and deleted_at is not null and kept_at is null
    union all
    select 'PROJECT:' || (data ->> 'projectId') from pgboss.job
      where name = 'projects.purge' and state < 'completed' and data ->> 'account' = ${userId}`)
  return rows.map(({ key }) => key)
}

export interface ProjectVariable {
  id: string
  projectId: string
  project: string
  key: string
}

/** Those of projects, without the ones that a database sets. */
export async function listVariables(db: Queryable, userId: string): Promise<ProjectVariable[]> {
  const { rows } = await db.execute<ProjectVariable & Record<string, unknown>>(sql`
    select v.id, p.id as "projectId", p.name as project, v.key
    from env_vars v join projects p on p.id = v.project_id
    where p.user_id = ${userId} and p.deleted_at is null and v.database_id is null
    order by p.name, p.id, v.key`)
  return rows
}

export async function listSignedZones(
  db: Queryable,
  domainIds: readonly string[]
): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select domain_id as id, name from dns_zones
    where is_signed and domain_id = any(${sql.param([...domainIds])}::text[]) order by name`)
  return rows
}

/** The account that had an address. */
export async function findAccountId(db: Queryable, email: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from users where lower(email) = ${email} and deleted_at is null`
  )
  return rows[0]?.id
}

/** What ran, by project. */
export async function listReleases(db: Queryable, projectIds: readonly string[]) {
  const { rows } = await db.execute<{
    projectId: string
    commitHash: string | null
    commitMsg: string | null
    buildCmd: string | null
    upload: StoredUpload | null
  }>(sql`
    select p.id as "projectId", d.commit_hash as "commitHash", d.commit_msg as "commitMsg", d.build_cmd as "buildCmd", d.upload
    from projects p join deployments d on d.id = p.live_deployment_id
    where p.id = any(${sql.param([...projectIds])}::text[]) and p.status <> 'STOPPED'`)
  return rows
}

export interface SavedDatabase {
  id: string
  name: string
  type: 'POSTGRESQL' | 'MYSQL'
  projectId: string | null
  autoInjectEnv: boolean
  username: string
  encryptedPassword: string
}

export async function listSavedDatabases(db: Queryable, userId: string): Promise<SavedDatabase[]> {
  const { rows } = await db.execute<SavedDatabase & Record<string, unknown>>(sql`
    select d.id, d.name, d.type, p.id as "projectId", d.auto_inject_env as "autoInjectEnv", d.username,
      d.encrypted_password as "encryptedPassword"
    from databases d left join projects p on p.id = d.project_id and p.deleted_at is null
    where d.user_id = ${userId} and d.status = 'ACTIVE'`)
  return rows
}
