import { eq, inArray } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { hostNames } from '../../db/schema/host-names.ts'

/** Reserves the first candidate that is free or already belongs to this project; undefined if there is none. */
export async function reserveHostname(
  trx: Transaction,
  projectId: string,
  candidates: readonly string[]
): Promise<string | undefined> {
  for (const hostname of candidates) {
    if ((await holderOf(trx, { hostname, projectId })).projectId === projectId) return hostname
  }
  return undefined
}

/** Reserves a hostname for the account's verified domains; false if it belongs to someone else. */
export async function reserveForAccount(trx: Transaction, userId: string, hostname: string): Promise<boolean> {
  return (await holderOf(trx, { hostname, userId })).userId === userId
}

async function holderOf(trx: Transaction, values: typeof hostNames.$inferInsert) {
  await trx.insert(hostNames).values(values).onConflictDoNothing()
  const [row] = await trx.select().from(hostNames).where(eq(hostNames.hostname, values.hostname))
  return row ?? { projectId: null, userId: null }
}

export async function findHostname(db: Queryable, hostname: string) {
  const [row] = await db.select().from(hostNames).where(eq(hostNames.hostname, hostname))
  return row
}

export async function listHostnames(db: Queryable, projectId: string): Promise<string[]> {
  const rows = await db
    .select({ hostname: hostNames.hostname })
    .from(hostNames)
    .where(eq(hostNames.projectId, projectId))
  return rows.map((row) => row.hostname)
}

export async function releaseHostnames(trx: Transaction, hostnames: readonly string[]): Promise<void> {
  if (hostnames.length > 0) await trx.delete(hostNames).where(inArray(hostNames.hostname, [...hostnames]))
}
