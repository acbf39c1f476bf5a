import { and, eq, sql } from 'drizzle-orm'
import type { Queryable } from './database.ts'
import { settings } from './schema/settings.ts'

export const timezoneKey = 'timezone'
export const variablePrefix = 'variable:'

export async function listSettings(db: Queryable, prefix: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select()
    .from(settings)
    .where(sql`starts_with(${settings.key}, ${prefix})`)
  return new Map(rows.map(({ key, value }) => [key.slice(prefix.length), value]))
}

export async function findSetting(db: Queryable, key: string): Promise<string | undefined> {
  const [row] = await db.select().from(settings).where(eq(settings.key, key))
  return row?.value
}

export async function saveSetting(db: Queryable, key: string, value: string): Promise<void> {
  await db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } })
}

/** Sets the value unless the current one sorts between it and `end`; resolves with whether it did. Atomic. */
export async function raiseSetting(db: Queryable, key: string, value: string, end?: string): Promise<boolean> {
  const rows = await db
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({
      target: settings.key,
      set: { value },
      setWhere:
        end === undefined
          ? sql`${settings.value} < ${value}`
          : sql`${settings.value} < ${value} or ${settings.value} > ${end}`
    })
    .returning()
  return rows.length > 0
}

export async function replaceSetting(db: Queryable, key: string, previous: string, value: string): Promise<boolean> {
  const rows = await db
    .update(settings)
    .set({ value })
    .where(and(eq(settings.key, key), eq(settings.value, previous)))
    .returning()
  return rows.length > 0
}

export async function removeSetting(db: Queryable, key: string): Promise<void> {
  await db.delete(settings).where(eq(settings.key, key))
}

/** Gets the setting or creates it; if several processes start at once, the first write wins. */
export async function ensureSetting(db: Queryable, key: string, make: () => string | Promise<string>): Promise<string> {
  const found = await findSetting(db, key)
  if (found !== undefined) return found
  await db
    .insert(settings)
    .values({ key, value: await make() })
    .onConflictDoNothing()
  return (await findSetting(db, key))!
}
