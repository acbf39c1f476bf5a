import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { tcpPorts } from '../../db/schema/tcp-ports.ts'
import type { PortRange } from '../../config/tcp-ports.ts'

export type TcpPortRow = typeof tcpPorts.$inferSelect

export async function listTcpPorts(db: Queryable, projectId: string): Promise<TcpPortRow[]> {
  return db.select().from(tcpPorts).where(eq(tcpPorts.projectId, projectId)).orderBy(asc(tcpPorts.id))
}

/** Per account. */
export async function countTcpPorts(db: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ userId: projects.userId, count: sql<number>`count(*)::int` })
    .from(tcpPorts)
    .innerJoin(projects, eq(projects.id, tcpPorts.projectId))
    .where(and(isNull(projects.deletedAt), inArray(projects.userId, [...userIds])))
    .groupBy(projects.userId)
  return new Map(rows.map(({ userId, count }) => [userId, count]))
}

/** False if the port is published already: waits for a transaction that is about to. */
export async function insertTcpPort(trx: Transaction, values: typeof tcpPorts.$inferInsert): Promise<boolean> {
  const rows = await trx.insert(tcpPorts).values(values).onConflictDoNothing().returning({ id: tcpPorts.id })
  return rows.length > 0
}

/**
 * Any free port, so that one that was just given up is not the next to be published: its clients may still try it.
 * Undefined if none is free.
 */
export async function findFreePort(
  db: Queryable,
  nodeId: string,
  { first, last }: PortRange
): Promise<number | undefined> {
  const { rows } = await db.execute<{ port: number }>(sql`
    select port from generate_series(${first}::int, ${last}::int) as port
    where not exists (select from ${tcpPorts} where ${tcpPorts.nodeId} = ${nodeId} and ${tcpPorts.publishedPort} = port)
    order by random() limit 1`)
  return rows[0]?.port
}

export async function deleteTcpPort(trx: Transaction, projectId: string, id: string): Promise<TcpPortRow | undefined> {
  const isMeant = and(eq(tcpPorts.projectId, projectId), eq(tcpPorts.id, id))
  return (await trx.delete(tcpPorts).where(isMeant).returning())[0]
}

export async function deleteTcpPortsOf(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(tcpPorts).where(eq(tcpPorts.projectId, projectId))
}
