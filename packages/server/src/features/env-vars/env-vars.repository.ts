import { and, asc, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { envVars } from '../../db/schema.ts'

export type EnvVarRow = typeof envVars.$inferSelect

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

/** Inserts or replaces; without `overwrite` what exists stays and is not returned. */
export async function upsertEnvVars(
  trx: Transaction,
  rows: (typeof envVars.$inferInsert)[],
  options: { overwrite: boolean; now: Date }
): Promise<EnvVarRow[]> {
  if (rows.length === 0) return []
  const insert = trx.insert(envVars).values(rows)
  const target = [envVars.projectId, envVars.key]
  return options.overwrite
    ? insert.onConflictDoUpdate({ target, set: { value: sql`excluded.value`, updatedAt: options.now } }).returning()
    : insert.onConflictDoNothing({ target }).returning()
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
