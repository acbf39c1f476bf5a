import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { updateNode } from '../../db/nodes.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'

export type SlotRow = typeof containerSlots.$inferSelect

/** Starts after the last port handed out, so that a client with an old port does not reach another container soon. */
export async function listFreePorts(db: Queryable, nodeId: string, first: number, last: number): Promise<number[]> {
  const { rows } = await db.execute<{ port: number }>(sql`
    select p.port from generate_series(${first}::int, ${last}::int) as p(port)
    where not exists (select 1 from container_slots s where s.node_id = ${nodeId} and s.port = p.port)
    order by p.port <= coalesce((select last_port from nodes where id = ${nodeId}), 0), p.port`)
  return rows.map((row) => row.port)
}

/** Undefined if another process took the port or the address first. */
export async function insertSlot(
  db: Queryable,
  values: typeof containerSlots.$inferInsert
): Promise<SlotRow | undefined> {
  const [row] = await db
    .insert(containerSlots)
    .values(values)
    .onConflictDoNothing({ target: [containerSlots.nodeId, containerSlots.port] })
    .returning()
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'container_slots_address')) return []
      throw error
    })
  if (row) await updateNode(db, row.nodeId, { lastPort: row.port })
  return row
}

/** The first one of several instances. */
export async function findSlot(db: Queryable, deploymentId: string): Promise<SlotRow | undefined> {
  const [row] = await listSlotsOf(db, deploymentId)
  return row
}

export async function listSlotsOf(db: Queryable, deploymentId: string): Promise<SlotRow[]> {
  return db
    .select()
    .from(containerSlots)
    .where(eq(containerSlots.deploymentId, deploymentId))
    .orderBy(containerSlots.instance)
}

export async function listSlots(db: Queryable, projectId?: string): Promise<SlotRow[]> {
  return db
    .select()
    .from(containerSlots)
    .where(projectId === undefined ? undefined : eq(containerSlots.projectId, projectId))
}

/** `keepDeploymentId`: a new release takes over; runs of the previous one continue. */
export async function retireSlots(
  trx: Transaction,
  projectId: string,
  now: Date,
  keepDeploymentId?: string
): Promise<SlotRow[]> {
  return trx
    .update(containerSlots)
    .set({ retiredAt: now })
    .where(
      and(
        eq(containerSlots.projectId, projectId),
        isNull(containerSlots.retiredAt),
        keepDeploymentId === undefined
          ? undefined
          : and(ne(containerSlots.deploymentId, keepDeploymentId), eq(containerSlots.kind, 'SITE'))
      )
    )
    .returning()
}

/** Matches the deployment as well, because a freed port is reused soon. */
export async function deleteSlot(
  db: Queryable,
  slot: Pick<SlotRow, 'nodeId' | 'port' | 'deploymentId'>
): Promise<void> {
  await db
    .delete(containerSlots)
    .where(
      and(
        eq(containerSlots.nodeId, slot.nodeId),
        eq(containerSlots.port, slot.port),
        eq(containerSlots.deploymentId, slot.deploymentId)
      )
    )
}

/** Those of a deployment, a run or a worker on a machine. */
export async function deleteSlotsOf(
  db: Queryable,
  { deploymentId, nodeId }: Pick<SlotRow, 'deploymentId' | 'nodeId'>
): Promise<void> {
  await db
    .delete(containerSlots)
    .where(and(eq(containerSlots.deploymentId, deploymentId), eq(containerSlots.nodeId, nodeId)))
}
