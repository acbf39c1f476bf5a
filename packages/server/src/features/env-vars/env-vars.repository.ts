import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { envVars } from '../../db/schema/env-vars.ts'

type EnvVarRow = typeof envVars.$inferSelect

export type EnvVarFacts = Omit<EnvVarRow, 'value'>

const { value, ...facts } = getTableColumns(envVars)

export async function listEnvVarFacts(db: Queryable, projectId: string): Promise<EnvVarFacts[]> {
  return db.select(facts).from(envVars).where(eq(envVars.projectId, projectId)).orderBy(asc(envVars.key))
}

/** Count, and total bytes of the values; sealed values are hex, two digits per byte. */
export async function measureEnvVars(db: Queryable, projectId: string): Promise<{ count: number; bytes: number }> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(length(${envVars.value})) / 2, 0)::int`
    })
    .from(envVars)
    .where(eq(envVars.projectId, projectId))
  return row ?? { count: 0, bytes: 0 }
}

export async function listEnvVars(db: Queryable, projectId: string): Promise<EnvVarRow[]> {
  return db.select().from(envVars).where(eq(envVars.projectId, projectId)).orderBy(asc(envVars.key))
}

export async function findEnvVar(db: Queryable, projectId: string, key: string): Promise<EnvVarRow | undefined> {
  const [row] = await db
    .select()
    .from(envVars)
    .where(and(eq(envVars.projectId, projectId), eq(envVars.key, key)))
  return row
}

/** Without `overwrite`, existing rows stay and are not returned. A replaced row no longer belongs to a database. */
export async function upsertEnvVars(
  trx: Transaction,
  rows: (typeof envVars.$inferInsert)[],
  options: { overwrite: boolean; now: Date }
): Promise<EnvVarFacts[]> {
  if (rows.length === 0) return []
  const insert = trx.insert(envVars).values(rows)
  const target = [envVars.projectId, envVars.key]
  return options.overwrite
    ? insert
        .onConflictDoUpdate({
          target,
          set: {
            value: sql`excluded.value`,
            sensitive: sql`excluded.sensitive`,
            databaseId: sql`excluded.database_id`,
            updatedAt: options.now
          }
        })
        .returning(facts)
    : insert.onConflictDoNothing({ target }).returning(facts)
}

export async function deleteEnvVar(db: Queryable, projectId: string, key: string): Promise<boolean> {
  const rows = await db
    .delete(envVars)
    .where(and(eq(envVars.projectId, projectId), eq(envVars.key, key)))
    .returning({ id: envVars.id })
  return rows.length > 0
}

export async function deleteAllEnvVars(db: Queryable, projectId: string): Promise<void> {
  await db.delete(envVars).where(eq(envVars.projectId, projectId))
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
