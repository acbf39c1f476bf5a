import { and, asc, eq } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { registries } from '../../db/schema/registries.ts'

export type RegistryRow = typeof registries.$inferSelect

export const listRegistries = (db: Queryable, userId: string): Promise<RegistryRow[]> =>
  db.select().from(registries).where(eq(registries.userId, userId)).orderBy(asc(registries.host))

export async function findRegistryOf(db: Queryable, userId: string, host: string): Promise<RegistryRow | undefined> {
  const [row] = await db
    .select()
    .from(registries)
    .where(and(eq(registries.userId, userId), eq(registries.host, host)))
  return row
}

/** Of any account. */
export const hasRegistryLogins = async (db: Queryable, host: string): Promise<boolean> =>
  (await db.$count(registries, eq(registries.host, host))) > 0

export async function findRegistry(db: Queryable, userId: string, id: string): Promise<RegistryRow | undefined> {
  const [row] = await db
    .select()
    .from(registries)
    .where(and(eq(registries.userId, userId), eq(registries.id, id)))
  return row
}

export async function saveRegistry(trx: Transaction, values: typeof registries.$inferInsert): Promise<RegistryRow> {
  const { username, secret, updatedAt } = values
  const [row] = await trx
    .insert(registries)
    .values(values)
    .onConflictDoUpdate({ target: [registries.userId, registries.host], set: { username, secret, updatedAt } })
    .returning()
  return row!
}

/** Undefined if the account has none with the id. */
export async function deleteRegistry(trx: Transaction, userId: string, id: string): Promise<RegistryRow | undefined> {
  const [row] = await trx
    .delete(registries)
    .where(and(eq(registries.userId, userId), eq(registries.id, id)))
    .returning()
  return row
}

export async function deleteRegistriesOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(registries).where(eq(registries.userId, userId))
}
