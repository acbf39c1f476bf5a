import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SharedQuota, UserQuery } from '@panel/contract/accounts'
import type { Queryable, Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { diskUsage } from '../../db/schema/disk-usage.ts'
import { users } from '../../db/schema/users.ts'

export type UserRow = typeof users.$inferSelect

const live = isNull(users.deletedAt)

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), live))
  return row
}

export async function findAnyUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), live))
  return row
}

/** undefined: the email address is taken. */
export async function insertUser(trx: Transaction, values: typeof users.$inferInsert): Promise<UserRow | undefined> {
  const [row] = await trx.insert(users).values(values).onConflictDoNothing().returning()
  return row
}

export async function anyUserExists(db: Queryable): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).limit(1)
  return rows.length > 0
}

/** Serializes racing first registrations, so that only one sees an empty table. */
export async function lockFirstUser(trx: Transaction): Promise<void> {
  await lockName(trx, 'users:first')
}

export async function updatePasswordHash(trx: Transaction, id: string, passwordHash: string, now: Date): Promise<void> {
  await trx.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, id))
}

/** Compare-and-swap: does nothing if the password has changed in the meantime. */
export async function replacePasswordHash(
  db: Queryable,
  { id, passwordHash: before }: Pick<UserRow, 'id' | 'passwordHash'>,
  passwordHash: string
): Promise<UserRow | undefined> {
  const isSame = and(eq(users.id, id), eq(users.passwordHash, before), live)
  return (await db.update(users).set({ passwordHash }).where(isSame).returning())[0]
}

/** Distinct cost parts of all PHC hashes, for example `m=19456,t=2,p=1`. */
export async function listHashCosts(db: Queryable): Promise<string[]> {
  const cost = sql<string>`split_part(${users.passwordHash}, '$', 4)`
  return (await db.selectDistinct({ cost }).from(users).where(live)).map((row) => row.cost)
}

/**
 * Locks the account against quota checks, sign-in and suspension. Lock order: parents before children, accounts before
 * projects. Not `for update`, which would block every insert that references the account.
 */
export async function lockUser(trx: Transaction, id: string): Promise<UserRow | undefined> {
  const [row] = await trx
    .select()
    .from(users)
    .where(and(eq(users.id, id), live))
    .for('no key update')
    .prepare('users.lock')
    .execute()
  return row
}

/** Locks the account and all resellers above it, topmost first. Returns the existing rows, the account last. */
export async function lockWithResellers(trx: Transaction, id: string): Promise<UserRow[]> {
  const line = sql`(
    with recursive line (id, parent_id, depth) as (
      select id, parent_id, 0 from users where id = ${id}
      union all
      select u.id, u.parent_id, l.depth + 1 from users u join line l on l.parent_id = u.id where l.depth < 100
    ) select id as line_id, depth from line) as line`
  // Rows are locked in result order.
  return trx
    .select(getTableColumns(users))
    .from(users)
    .innerJoin(line, sql`line_id = ${users.id}`)
    .where(and(live, or(eq(users.id, id), eq(users.role, 'RESELLER'))))
    .orderBy(sql`depth desc`)
    .for('no key update', { of: users })
    .prepare('users.lock-with-resellers')
    .execute()
}

/** Take before removing or demoting an ADMIN: serializes such changes, so that the last one stays. */
export async function lockAdmins(trx: Transaction): Promise<void> {
  await lockName(trx, 'users:admins')
}

export async function otherActiveAdminExists(trx: Transaction, id: string): Promise<boolean> {
  const rows = await trx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'ADMIN'), ne(users.id, id), isNull(users.suspendedAt), live))
    .limit(1)
  return rows.length > 0
}

export async function updateUser(
  trx: Transaction,
  id: string,
  values: Partial<typeof users.$inferInsert>,
  now: Date
): Promise<UserRow> {
  const [row] = await trx
    .update(users)
    .set({ ...values, updatedAt: now })
    .where(eq(users.id, id))
    .returning()
  return row!
}

export async function countSubAccounts(db: Queryable, parentId: string): Promise<number> {
  return db.$count(users, and(eq(users.parentId, parentId), live))
}

export async function findGrant(db: Queryable, id: string): Promise<Pick<UserRow, 'role' | 'permissions'> | undefined> {
  const [row] = await db
    .select({ role: users.role, permissions: users.permissions })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt), isNull(users.suspendedAt)))
  return row
}

export async function listSubAccounts(db: Queryable, parentId: string): Promise<UserRow[]> {
  return db
    .select()
    .from(users)
    .where(and(eq(users.parentId, parentId), live))
}

export async function listLimitsBelow(
  db: Queryable,
  parentIds: readonly string[]
): Promise<(Pick<UserRow, SharedQuota> & { parentId: string | null })[]> {
  if (parentIds.length === 0) return []
  const { parentId, maxProjects, maxDomains, maxDatabases, maxMailboxes } = users
  return db
    .select({ parentId, maxProjects, maxDomains, maxDatabases, maxMailboxes })
    .from(users)
    .where(and(inArray(parentId, [...parentIds]), live))
}

export async function readDiskBytes(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: diskUsage.userId, bytes: sql<string>`sum(${diskUsage.bytes})` })
    .from(diskUsage)
    .where(inArray(diskUsage.userId, [...ids]))
    .groupBy(diskUsage.userId)
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
}

export async function listAncestors(db: Queryable, id: string): Promise<Pick<UserRow, 'id' | 'role'>[]> {
  const { rows } = await db.execute<Pick<UserRow, 'id' | 'role'>>(sql`
    with recursive above (id, role, parent_id, depth) as (
      select u.id, u.role, u.parent_id, 1 from users u join users c on c.parent_id = u.id where c.id = ${id}
      union all
      select u.id, u.role, u.parent_id, a.depth + 1 from users u join above a on a.parent_id = u.id where a.depth < 100
    ) select id, role from above order by depth desc`)
  return rows
}

export async function listTree(db: Queryable, id: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with recursive tree (id) as (
      select ${id}::text union select u.id from users u join tree t on u.parent_id = t.id
    ) select id from tree`)
  return rows.map((row) => row.id)
}

const treeOf = (id: string): SQL => sql`with recursive tree (id) as (
    select ${id}::text union select u.id from users u join tree t on u.parent_id = t.id where u.role <> 'ADMIN'
  ) select id from tree`

/** All accounts, or `onlyOf` and its descendants down to ADMINs; newest first. */
export async function searchUsers(
  db: Queryable,
  query: UserQuery,
  onlyOf: { id: string; withAllBelow: boolean } | undefined
): Promise<{ rows: UserRow[]; total: number }> {
  const search = query.search?.toLowerCase()
  const where = and(
    live,
    onlyOf && (onlyOf.withAllBelow ? sql`${users.id} in (${treeOf(onlyOf.id)})` : eq(users.id, onlyOf.id)),
    query.below === undefined
      ? undefined
      : and(sql`${users.id} in (${treeOf(query.below)})`, ne(users.id, query.below)),
    query.role === undefined ? undefined : eq(users.role, query.role),
    query.suspended === undefined ? undefined : (query.suspended ? isNotNull : isNull)(users.suspendedAt),
    search === undefined
      ? undefined
      : sql`(strpos(lower(${users.name}), ${search}) > 0 or strpos(lower(${users.email}), ${search}) > 0)`
  )
  const onDisk = sql`(select coalesce(sum(${diskUsage.bytes}), 0) from ${diskUsage} where ${diskUsage.userId} = ${users.id})`
  const order = query.order === 'disk' ? [desc(onDisk)] : []
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(users)
      .where(where)
      .orderBy(...order, desc(users.createdAt), desc(users.id))
      .limit(query.limit)
      .offset((query.page - 1) * query.limit),
    db.$count(users, where)
  ])
  return { rows, total }
}

/** All accounts, or those below `onlyBelow`, by part of name or email address; prefix matches first. */
export async function findAccountsByText(
  db: Queryable,
  onlyBelow: string | undefined,
  text: string,
  limit: number
): Promise<Pick<UserRow, 'id' | 'name' | 'email'>[]> {
  const wanted = text.toLowerCase()
  const [name, email] = [sql`lower(${users.name})`, sql`lower(${users.email})`]
  const begins = sql`(starts_with(${name}, ${wanted}) or starts_with(${email}, ${wanted}))`
  const isBelow = onlyBelow && sql`${users.id} in (${treeOf(onlyBelow)}) and ${users.id} <> ${onlyBelow}`
  return db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(live, isBelow || undefined, sql`(strpos(${name}, ${wanted}) > 0 or strpos(${email}, ${wanted}) > 0)`))
    .orderBy(sql`${begins} desc`, users.name, users.id)
    .limit(limit)
}

export function isEmailConflict(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'constraint' in cause && cause.constraint === 'users_email_key'
}
