import { and, asc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { envGroups, envVars, projectEnvGroups } from '../../db/schema/env-vars.ts'
import { projects } from '../../db/schema/projects.ts'
import type { Holder } from './holder.types.ts'

export type EnvVarRow = typeof envVars.$inferSelect

export type EnvVarFacts = Omit<EnvVarRow, 'value'>

const { value, ...facts } = getTableColumns(envVars)

const of = (holder: Holder) =>
  'projectId' in holder ? eq(envVars.projectId, holder.projectId) : eq(envVars.groupId, holder.groupId)

export async function listEnvVarFacts(db: Queryable, holder: Holder): Promise<EnvVarFacts[]> {
  return db.select(facts).from(envVars).where(of(holder)).orderBy(asc(envVars.key))
}

export async function listEnvVarFactsOf(
  db: Queryable,
  { projectIds, groupIds }: { projectIds: readonly string[]; groupIds: readonly string[] }
): Promise<EnvVarFacts[]> {
  return db
    .select(facts)
    .from(envVars)
    .where(or(inArray(envVars.projectId, [...projectIds]), inArray(envVars.groupId, [...groupIds])))
    .orderBy(asc(envVars.key))
}

/** Count, and total bytes of the values; sealed values are hex, two digits per byte. */
export async function measureEnvVars(db: Queryable, holder: Holder): Promise<{ count: number; bytes: number }> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(length(${envVars.value})) / 2, 0)::int`
    })
    .from(envVars)
    .where(of(holder))
  return row ?? { count: 0, bytes: 0 }
}

export async function listEnvVars(db: Queryable, holder: Holder): Promise<EnvVarRow[]> {
  return db.select().from(envVars).where(of(holder)).orderBy(asc(envVars.key))
}

export async function findEnvVar(db: Queryable, holder: Holder, key: string): Promise<EnvVarRow | undefined> {
  const [row] = await db
    .select()
    .from(envVars)
    .where(and(of(holder), eq(envVars.key, key)))
  return row
}

/** Variables of several groups, without values or with them (sealed). */
export const listEnvVarsOfGroups = async (db: Queryable, groupIds: readonly string[]): Promise<EnvVarRow[]> =>
  groupIds.length === 0
    ? []
    : db
        .select()
        .from(envVars)
        .where(inArray(envVars.groupId, [...groupIds]))
        .orderBy(asc(envVars.key))

/** Projects of the account that have variables with references, themselves or through a group. */
export async function listProjectsWithReferences(
  db: Queryable,
  userId: string,
  limit: number
): Promise<{ id: string; name: string }[]> {
  const refers = sql`jsonb_array_length(${envVars.references}) > 0`
  const groups = db
    .select({ groupId: envVars.groupId })
    .from(envVars)
    .innerJoin(envGroups, and(eq(envGroups.id, envVars.groupId), eq(envGroups.userId, userId)))
    .where(refers)
  return db
    .selectDistinct({ id: projects.id, name: projects.name })
    .from(projects)
    .leftJoin(projectEnvGroups, eq(projectEnvGroups.projectId, projects.id))
    .leftJoin(envVars, and(eq(envVars.projectId, projects.id), refers))
    .where(
      and(
        eq(projects.userId, userId),
        isNull(projects.deletedAt),
        sql`(${envVars.id} is not null or ${inArray(projectEnvGroups.groupId, groups)})`
      )
    )
    .orderBy(asc(projects.name))
    .limit(limit)
}

/** Without `overwrite`, existing rows stay and are not returned. A replaced row no longer belongs to a database. */
export async function upsertEnvVars(
  trx: Transaction,
  holder: Holder,
  rows: (typeof envVars.$inferInsert)[],
  options: { overwrite: boolean; now: Date }
): Promise<EnvVarFacts[]> {
  if (rows.length === 0) return []
  const insert = trx.insert(envVars).values(rows.map((row) => ({ ...row, ...holder })))
  const target = ['projectId' in holder ? envVars.projectId : envVars.groupId, envVars.key]
  return options.overwrite
    ? insert
        .onConflictDoUpdate({
          target,
          set: {
            value: sql`excluded.value`,
            references: sql`excluded.references`,
            sensitive: sql`excluded.sensitive`,
            scope: sql`excluded.scope`,
            processes: sql`excluded.processes`,
            databaseId: sql`excluded.database_id`,
            updatedAt: options.now
          }
        })
        .returning(facts)
    : insert.onConflictDoNothing({ target }).returning(facts)
}

export async function deleteEnvVar(db: Queryable, holder: Holder, key: string): Promise<boolean> {
  const rows = await db
    .delete(envVars)
    .where(and(of(holder), eq(envVars.key, key)))
    .returning({ id: envVars.id })
  return rows.length > 0
}

export async function deleteAllEnvVars(db: Queryable, projectId: string): Promise<void> {
  await db.delete(envVars).where(of({ projectId }))
}

export async function listEnvVarsOfDatabase(trx: Transaction, databaseId: string): Promise<EnvVarRow[]> {
  return trx.select().from(envVars).where(eq(envVars.databaseId, databaseId))
}

export async function updateEnvVar(
  trx: Transaction,
  id: string,
  values: Pick<EnvVarRow, 'value' | 'updatedAt'>
): Promise<void> {
  await trx.update(envVars).set(values).where(eq(envVars.id, id))
}

export async function deleteEnvVarsOfDatabase(trx: Transaction, databaseId: string): Promise<void> {
  await trx.delete(envVars).where(eq(envVars.databaseId, databaseId))
}
