import { and, asc, count, desc, eq, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { DatabaseQuery, DatabaseType } from '@panel/contract/databases'
import type { Queryable, Transaction } from '../../db/database.ts'
import { databases } from '../../db/schema/databases.ts'

export type DatabaseRow = typeof databases.$inferSelect

const active = eq(databases.status, 'ACTIVE')

export async function findDatabase(db: Queryable, id: string, userId: string): Promise<DatabaseRow | undefined> {
  const [row] = await db
    .select()
    .from(databases)
    .where(and(eq(databases.id, id), eq(databases.userId, userId), active))
  return row
}

export async function findDatabaseById(db: Queryable, id: string): Promise<DatabaseRow | undefined> {
  const [row] = await db.select().from(databases).where(eq(databases.id, id))
  return row
}

/** Of any account, in any state. Names are unique per engine; MySQL may be case-insensitive. */
export async function findDatabaseByName(
  db: Queryable,
  type: DatabaseType,
  name: string
): Promise<DatabaseRow | undefined> {
  const [row] = await db
    .select()
    .from(databases)
    .where(and(eq(databases.type, type), sql`lower(${databases.name}) = ${name.toLowerCase()}`))
  return row
}

export async function isAnyDatabase(db: Queryable, type: DatabaseType): Promise<boolean> {
  const rows = await db.select({ id: databases.id }).from(databases).where(eq(databases.type, type)).limit(1)
  return rows.length > 0
}

export async function listDatabasesOfProject(
  db: Queryable,
  projectId: string,
  type: DatabaseType
): Promise<DatabaseRow[]> {
  return db
    .select()
    .from(databases)
    .where(and(eq(databases.projectId, projectId), eq(databases.type, type)))
    .orderBy(asc(databases.createdAt), asc(databases.id))
}

/** Databases of no project, of all accounts. */
export async function listUnlinkedDatabases(db: Queryable): Promise<DatabaseRow[]> {
  return db
    .select()
    .from(databases)
    .where(and(isNull(databases.projectId), active))
    .orderBy(asc(databases.createdAt), asc(databases.id))
}

/** Databases whose variables are injected into the project, without a pending rotation. */
export async function listInjectedDatabases(db: Queryable, projectId: string): Promise<DatabaseRow[]> {
  return db
    .select()
    .from(databases)
    .where(
      and(
        eq(databases.projectId, projectId),
        eq(databases.autoInjectEnv, true),
        isNull(databases.encryptedNextPassword),
        active
      )
    )
}

export async function listLinkedDatabases(db: Queryable, projectIds: readonly string[]): Promise<DatabaseRow[]> {
  return db
    .select()
    .from(databases)
    .where(and(inArray(databases.projectId, [...projectIds]), active))
    .orderBy(asc(databases.name), asc(databases.id))
}

export async function listDatabaseUsernames(db: Queryable, type: DatabaseType): Promise<string[]> {
  const rows = await db
    .select({ username: databases.username })
    .from(databases)
    .where(and(eq(databases.type, type), active))
  return rows.map(({ username }) => username)
}

export async function listDatabaseNames(
  db: Queryable,
  userIds: readonly string[]
): Promise<Pick<DatabaseRow, 'name' | 'type' | 'userId'>[]> {
  return db
    .select({ name: databases.name, type: databases.type, userId: databases.userId })
    .from(databases)
    .where(inArray(databases.userId, [...userIds]))
}

const linkedTo = (projectId: DatabaseQuery['projectId']) => {
  if (projectId === undefined) return undefined
  return projectId === 'none' ? isNull(databases.projectId) : eq(databases.projectId, projectId)
}

const orders: Record<DatabaseQuery['order'], SQL[]> = {
  created: [desc(databases.createdAt), desc(databases.id)],
  name: [sql`lower(${databases.name})`, asc(databases.id)]
}

export async function searchDatabases(
  db: Queryable,
  userId: string,
  query: DatabaseQuery
): Promise<{ rows: DatabaseRow[]; total: number }> {
  const where = and(
    eq(databases.userId, userId),
    active,
    linkedTo(query.projectId),
    query.type === undefined ? undefined : eq(databases.type, query.type),
    query.search === undefined ? undefined : sql`strpos(lower(${databases.name}), ${query.search.toLowerCase()}) > 0`
  )
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(databases)
      .where(where)
      .orderBy(...orders[query.order])
      .limit(query.limit)
      .offset((query.page - 1) * query.limit),
    db.$count(databases, where)
  ])
  return { rows, total }
}

export async function countDatabases(db: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ id: databases.userId, count: sql<number>`count(*)::int` })
    .from(databases)
    .where(and(inArray(databases.userId, [...userIds]), ne(databases.status, 'DELETING')))
    .groupBy(databases.userId)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Undefined when the name of the database or of its account is taken. */
export async function insertDatabase(
  trx: Transaction,
  values: typeof databases.$inferInsert
): Promise<DatabaseRow | undefined> {
  const [row] = await trx.insert(databases).values(values).onConflictDoNothing().returning()
  return row
}

export async function updateDatabase(
  trx: Transaction,
  id: string,
  values: Partial<DatabaseRow>,
  now: Date
): Promise<DatabaseRow> {
  const [row] = await trx
    .update(databases)
    .set({ ...values, updatedAt: now })
    .where(eq(databases.id, id))
    .returning()
  return row!
}

export async function activateDatabase(trx: Transaction, id: string, now: Date): Promise<DatabaseRow | undefined> {
  const [row] = await trx
    .update(databases)
    .set({ status: 'ACTIVE', updatedAt: now })
    .where(and(eq(databases.id, id), eq(databases.status, 'PROVISIONING')))
    .returning()
  return row
}

/** Never deletes an active database. */
export async function deleteDatabaseRow(db: Queryable, id: string): Promise<void> {
  await db.delete(databases).where(and(eq(databases.id, id), ne(databases.status, 'ACTIVE')))
}

/** Databases of a deleted project stay with the account. */
export async function unlinkDatabases(trx: Transaction, projectId: string, now: Date): Promise<void> {
  await trx
    .update(databases)
    .set({ projectId: null, autoInjectEnv: false, updatedAt: now })
    .where(eq(databases.projectId, projectId))
}

export async function markDatabasesDeleting(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx.update(databases).set({ status: 'DELETING', updatedAt: now }).where(eq(databases.userId, userId))
}

export async function listUnfinishedDatabases(
  db: Queryable,
  type: DatabaseType,
  limit: number
): Promise<DatabaseRow[]> {
  return db
    .select()
    .from(databases)
    .where(
      and(or(ne(databases.status, 'ACTIVE'), isNotNull(databases.encryptedNextPassword)), eq(databases.type, type))
    )
    .orderBy(asc(databases.updatedAt))
    .limit(limit)
}

export async function touchDatabase(db: Queryable, id: string, now: Date): Promise<void> {
  await db.update(databases).set({ updatedAt: now }).where(eq(databases.id, id))
}

export async function countByEngine(db: Queryable) {
  return db
    .select({ engine: databases.type, status: databases.status, n: count() })
    .from(databases)
    .groupBy(databases.type, databases.status)
}
