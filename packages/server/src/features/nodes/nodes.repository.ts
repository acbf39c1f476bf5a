import { and, asc, count, eq, isNull, ne } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { nodes } from '../../db/schema/nodes.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'

export type NodeRow = typeof nodes.$inferSelect

/** The panel's own first, since it is the oldest. */
export const listNodes = (db: Queryable): Promise<NodeRow[]> =>
  db.select().from(nodes).orderBy(asc(nodes.createdAt), asc(nodes.id))

export async function lockNode(trx: Transaction, id: string): Promise<NodeRow | undefined> {
  const [row] = await trx.select().from(nodes).where(eq(nodes.id, id)).for('update')
  return row
}

export async function insertNode(db: Queryable, values: typeof nodes.$inferInsert): Promise<NodeRow> {
  const [row] = await db.insert(nodes).values(values).returning()
  return row!
}

type Changed = Partial<Pick<NodeRow, 'name' | 'labels' | 'isPaused'>>

export async function changeNode(trx: Transaction, id: string, values: Changed): Promise<NodeRow> {
  const [row] = await trx.update(nodes).set(values).where(eq(nodes.id, id)).returning()
  return row!
}

type Check = Partial<Pick<NodeRow, 'seenAt' | 'missedChecks' | 'facts' | 'problems'>>

/** Nothing if the machine was removed meanwhile. */
export async function saveCheck(db: Queryable, id: string, check: Check): Promise<void> {
  await db.update(nodes).set(check).where(eq(nodes.id, id))
}

/** Whether it was there. Never the one that runs the panel. */
export async function deleteNode(trx: Transaction, id: string, own: string): Promise<boolean> {
  const gone = await trx
    .delete(nodes)
    .where(and(eq(nodes.id, id), ne(nodes.id, own)))
    .returning({ id: nodes.id })
  return gone.length > 0
}

export async function countProjects(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ id: projects.nodeId, n: count() })
    .from(projects)
    .where(isNull(projects.deletedAt))
    .groupBy(projects.nodeId)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

export async function countContainers(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ id: containerSlots.nodeId, n: count() })
    .from(containerSlots)
    .where(isNull(containerSlots.retiredAt))
    .groupBy(containerSlots.nodeId)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

export const listSites = (db: Queryable, nodeId: string, page: { limit: number; offset: number }) =>
  db
    .select({
      projectId: projects.id,
      name: projects.name,
      type: projects.type,
      owner: users.name,
      filesName: projects.filesName,
      labels: projects.machineLabels,
      instances: db.$count(
        containerSlots,
        and(
          eq(containerSlots.projectId, projects.id),
          eq(containerSlots.nodeId, nodeId),
          isNull(containerSlots.retiredAt)
        )
      )
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(and(eq(projects.nodeId, nodeId), isNull(projects.deletedAt)))
    .orderBy(asc(projects.name), asc(projects.id))
    .limit(page.limit)
    .offset(page.offset)
