import { and, asc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { accountNetworks } from '../../db/schema/account-networks.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { users } from '../../db/schema/users.ts'
import type { Endpoint } from '../../infra/container-engine/container-engine.ts'

export type NetworkRow = typeof accountNetworks.$inferSelect

export async function findFirstNetwork(db: Queryable, nodeId: string, userId: string): Promise<NetworkRow | undefined> {
  const [row] = await db
    .select(getTableColumns(accountNetworks))
    .from(accountNetworks)
    .innerJoin(users, eq(users.uid, accountNetworks.uid))
    .where(and(eq(accountNetworks.nodeId, nodeId), eq(users.id, userId)))
    .orderBy(asc(accountNetworks.createdAt), asc(accountNetworks.number))
    .limit(1)
  return row
}

/** Oldest first. */
export async function listNetworksOf(db: Queryable, nodeId: string, uid: number): Promise<NetworkRow[]> {
  return db
    .select()
    .from(accountNetworks)
    .where(and(eq(accountNetworks.nodeId, nodeId), eq(accountNetworks.uid, uid)))
    .orderBy(asc(accountNetworks.createdAt), asc(accountNetworks.number))
}

/** Oldest first. */
export async function listNetworks(db: Queryable, nodeId: string): Promise<NetworkRow[]> {
  return db
    .select()
    .from(accountNetworks)
    .where(eq(accountNetworks.nodeId, nodeId))
    .orderBy(asc(accountNetworks.createdAt), asc(accountNetworks.number))
}

export async function findNetwork(db: Queryable, nodeId: string, number: number): Promise<NetworkRow | undefined> {
  const [row] = await db
    .select()
    .from(accountNetworks)
    .where(and(eq(accountNetworks.nodeId, nodeId), eq(accountNetworks.number, number)))
  return row
}

/** Undefined if another process took the number or the subnet first. */
export async function insertNetwork(
  db: Queryable,
  values: typeof accountNetworks.$inferInsert
): Promise<NetworkRow | undefined> {
  const [row] = await db.insert(accountNetworks).values(values).onConflictDoNothing().returning()
  return row
}

/** Changes the subnet of a network without containers; false if it has one. */
export async function moveNetwork(db: Queryable, { nodeId, number }: NetworkRow, subnet: string): Promise<boolean> {
  const moved = await db
    .update(accountNetworks)
    .set({ subnet })
    .where(
      and(
        eq(accountNetworks.nodeId, nodeId),
        eq(accountNetworks.number, number),
        sql`not exists (select from ${containerSlots} s where s.node_id = ${nodeId} and s.network = ${number})`
      )
    )
    .returning({ number: accountNetworks.number })
  return moved.length > 0
}

/** Its containers must be gone: a foreign key rejects it otherwise. */
export async function deleteNetwork(db: Queryable, { nodeId, number }: NetworkRow): Promise<void> {
  await db.delete(accountNetworks).where(and(eq(accountNetworks.nodeId, nodeId), eq(accountNetworks.number, number)))
}

export async function listAddresses(db: Queryable, nodeId: string, numbers: readonly number[]): Promise<string[]> {
  if (numbers.length === 0) return []
  const rows = await db
    .select({ address: containerSlots.address })
    .from(containerSlots)
    .where(and(eq(containerSlots.nodeId, nodeId), inArray(containerSlots.network, [...numbers])))
  return rows.flatMap(({ address }) => address ?? [])
}

/** Addresses and ports of containers that their neighbours may reach, by number of the network; of all networks, or of one. */
export async function listReachable(db: Queryable, nodeId: string, only?: number): Promise<Map<number, Endpoint[]>> {
  const rows = await db
    .select({ network: containerSlots.network, address: containerSlots.address, port: containerSlots.containerPort })
    .from(containerSlots)
    .where(
      and(
        eq(containerSlots.nodeId, nodeId),
        containerSlots.isReachable,
        isNotNull(containerSlots.address),
        only === undefined ? undefined : eq(containerSlots.network, only)
      )
    )
    .orderBy(containerSlots.address)
  const byNetwork = new Map<number, Endpoint[]>()
  for (const { network, address, port } of rows)
    byNetwork.set(network!, [...(byNetwork.get(network!) ?? []), { address: address!, port }])
  return byNetwork
}

export async function listNumbersInUse(db: Queryable, nodeId: string): Promise<number[]> {
  const rows = await db
    .selectDistinct({ number: containerSlots.network })
    .from(containerSlots)
    .where(and(eq(containerSlots.nodeId, nodeId), isNotNull(containerSlots.network)))
  return rows.flatMap(({ number }) => number ?? [])
}

export async function listAbandoned(db: Queryable, nodeId: string): Promise<NetworkRow[]> {
  const rows = await db
    .select({ network: accountNetworks })
    .from(accountNetworks)
    .innerJoin(users, eq(users.uid, accountNetworks.uid))
    .where(
      and(
        eq(accountNetworks.nodeId, nodeId),
        isNotNull(users.deletedAt),
        sql`not exists (select from ${containerSlots} s where s.node_id = ${nodeId} and s.network = ${accountNetworks.number})`
      )
    )
  return rows.map(({ network }) => network)
}
