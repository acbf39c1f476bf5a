import { machineRoles } from '@panel/contract/machines'
import { and, eq, isNull } from 'drizzle-orm'
import type { Queryable } from './database.ts'
import { nodes } from './schema/nodes.ts'

/** The row of a machine on which everything runs. */
export async function ensureNode(db: Queryable, id: string, name = 'local'): Promise<void> {
  await db
    .insert(nodes)
    .values({ id, name, roles: [...machineRoles] })
    .onConflictDoNothing({ target: nodes.id })
}

export async function findNode(db: Queryable, id: string): Promise<typeof nodes.$inferSelect | undefined> {
  const [row] = await db.select().from(nodes).where(eq(nodes.id, id))
  return row
}

export async function exchangeNetwork(
  db: Queryable,
  id: string,
  { read, network }: { read: string | null; network: string }
): Promise<void> {
  await db
    .update(nodes)
    .set({ network })
    .where(and(eq(nodes.id, id), read === null ? isNull(nodes.network) : eq(nodes.network, read)))
}

export async function updateNode(
  db: Queryable,
  id: string,
  values: Partial<Pick<typeof nodes.$inferSelect, 'network' | 'lastPort'>>
): Promise<void> {
  await db.update(nodes).set(values).where(eq(nodes.id, id))
}
