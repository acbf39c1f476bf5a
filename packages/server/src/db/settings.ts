import { eq } from 'drizzle-orm'
import type { Queryable } from './database.ts'
import { settings } from './schema/settings.ts'

export async function findSetting(db: Queryable, key: string): Promise<string | undefined> {
  const [row] = await db.select().from(settings).where(eq(settings.key, key))
  return row?.value
}

export async function saveSetting(db: Queryable, key: string, value: string): Promise<void> {
  await db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } })
}

/** The value under the key; of several processes that start at once, the first to write decides. */
export async function ensureSetting(db: Queryable, key: string, make: () => string | Promise<string>): Promise<string> {
  const found = await findSetting(db, key)
  if (found !== undefined) return found
  await db
    .insert(settings)
    .values({ key, value: await make() })
    .onConflictDoNothing()
  return (await findSetting(db, key))!
}
