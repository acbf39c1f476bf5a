import type { BanQuery } from '@panel/contract/bans'
import { and, asc, count, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { allowedNetworks, bans } from '../../db/schema/bans.ts'
import { forgivenAfterSeconds } from './ban-times.policy.ts'

export type BanRow = typeof bans.$inferSelect
type NewBan = typeof bans.$inferInsert
export type AllowedNetworkRow = typeof allowedNetworks.$inferSelect

const activeOn = (nodeId: string, now: Date) =>
  and(eq(bans.nodeId, nodeId), or(isNull(bans.until), gt(bans.until, now)))

export async function listActiveBans(
  db: Queryable,
  nodeId: string,
  now: Date,
  { page, limit, search, reason }: BanQuery
): Promise<{ rows: BanRow[]; total: number }> {
  const text = search?.toLowerCase()
  const where = and(
    activeOn(nodeId, now),
    reason === undefined ? undefined : eq(bans.reason, reason),
    text === undefined ? undefined : sql`strpos(lower(${bans.address} || ' ' || ${bans.note}), ${text}) > 0`
  )
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(bans)
      .where(where)
      .orderBy(desc(bans.bannedAt), desc(bans.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(bans, where)
  ])
  return { rows, total }
}

/** What the packet filter needs of all bans in force. */
export const listBansInForce = (
  db: Queryable,
  nodeId: string,
  now: Date
): Promise<Pick<BanRow, 'address' | 'until'>[]> =>
  db.select({ address: bans.address, until: bans.until }).from(bans).where(activeOn(nodeId, now))

export async function findBan(db: Queryable, id: string): Promise<BanRow | undefined> {
  const [row] = await db.select().from(bans).where(eq(bans.id, id))
  return row
}

export const findBansOf = (db: Queryable, nodeId: string, addresses: readonly string[]): Promise<BanRow[]> =>
  db
    .select()
    .from(bans)
    .where(and(eq(bans.nodeId, nodeId), inArray(bans.address, [...addresses])))

/** Replaces the bans of addresses that have one. */
export async function saveBans(db: Queryable, rows: readonly NewBan[]): Promise<BanRow[]> {
  const { id, reason, note, attempts, offences, bannedAt, until, createdBy } = bans
  const set = Object.fromEntries(
    Object.entries({ id, reason, note, attempts, offences, bannedAt, until, createdBy }).map(([name, column]) => [
      name,
      sql.raw(`excluded."${column.name}"`)
    ])
  )
  return db
    .insert(bans)
    .values([...rows])
    .onConflictDoUpdate({ target: [bans.nodeId, bans.address], set })
    .returning()
}

export async function deleteBans(db: Queryable, nodeId: string, ids: readonly string[]): Promise<BanRow[]> {
  if (ids.length === 0) return []
  return db
    .delete(bans)
    .where(and(eq(bans.nodeId, nodeId), inArray(bans.id, [...ids])))
    .returning()
}

export async function wasAnyoneBannedSince(db: Queryable, nodeId: string, since: Date): Promise<boolean> {
  const [row] = await db
    .select({ id: bans.id })
    .from(bans)
    .where(and(eq(bans.nodeId, nodeId), ne(bans.reason, 'MANUAL'), gt(bans.bannedAt, since)))
    .limit(1)
  return row !== undefined
}

/** Bans that are over and whose offences are forgiven. */
export async function deleteForgottenBans(db: Queryable, nodeId: string, now: Date): Promise<void> {
  const forgottenAt = sql`${bans.until} + ${bans.offences} * ${forgivenAfterSeconds} * interval '1 second'`
  await db.delete(bans).where(and(eq(bans.nodeId, nodeId), lt(forgottenAt, now.toISOString())))
}

export const listAllowedNetworks = (db: Queryable, nodeId: string): Promise<AllowedNetworkRow[]> =>
  db
    .select()
    .from(allowedNetworks)
    .where(eq(allowedNetworks.nodeId, nodeId))
    .orderBy(asc(allowedNetworks.createdAt), asc(allowedNetworks.id))

export async function findAllowedNetwork(db: Queryable, id: string): Promise<AllowedNetworkRow | undefined> {
  const [row] = await db.select().from(allowedNetworks).where(eq(allowedNetworks.id, id))
  return row
}

export async function countAllowedNetworks(db: Queryable, nodeId: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(allowedNetworks).where(eq(allowedNetworks.nodeId, nodeId))
  return row!.total
}

/** Undefined if the network is allowed already. */
export async function insertAllowedNetwork(
  db: Queryable,
  values: typeof allowedNetworks.$inferInsert
): Promise<AllowedNetworkRow | undefined> {
  const [row] = await db.insert(allowedNetworks).values(values).onConflictDoNothing().returning()
  return row
}

export async function deleteAllowedNetwork(
  db: Queryable,
  nodeId: string,
  id: string
): Promise<AllowedNetworkRow | undefined> {
  const [row] = await db
    .delete(allowedNetworks)
    .where(and(eq(allowedNetworks.nodeId, nodeId), eq(allowedNetworks.id, id)))
    .returning()
  return row
}
