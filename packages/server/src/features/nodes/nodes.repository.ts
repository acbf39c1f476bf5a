import { and, asc, avg, count, desc, eq, exists, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { accountNetworks } from '../../db/schema/account-networks.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { nodes } from '../../db/schema/nodes.ts'
import { projects } from '../../db/schema/projects.ts'
import { tcpPorts } from '../../db/schema/tcp-ports.ts'
import { users } from '../../db/schema/users.ts'
import { volumes } from '../../db/schema/volumes.ts'

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

type Changed = Partial<Pick<NodeRow, 'name' | 'labels' | 'isPaused' | 'isDraining' | 'publicIp' | 'roles'>>

export async function changeNode(trx: Transaction, id: string, values: Changed): Promise<NodeRow> {
  const [row] = await trx.update(nodes).set(values).where(eq(nodes.id, id)).returning()
  return row!
}

export type Check = Partial<Pick<NodeRow, 'seenAt' | 'missedChecks' | 'facts' | 'problems'>>

/** Nothing if the machine was removed meanwhile. */
export async function saveCheck(db: Queryable, id: string, check: Check): Promise<void> {
  await db.update(nodes).set(check).where(eq(nodes.id, id))
}

/** With the rows of its containers and networks. No live project may be on it. */
export async function deleteNode(trx: Transaction, id: string, own: string): Promise<void> {
  await trx.delete(containerSlots).where(eq(containerSlots.nodeId, id))
  await trx.delete(accountNetworks).where(eq(accountNetworks.nodeId, id))
  // Rows of deleted projects stay.
  await trx.update(projects).set({ nodeId: own }).where(eq(projects.nodeId, id))
  await trx.delete(nodes).where(eq(nodes.id, id))
}

export async function hasContainers(db: Queryable, id: string): Promise<boolean> {
  return (await db.$count(containerSlots, eq(containerSlots.nodeId, id))) > 0
}

/** Of the latest deployments of kept images; undefined without any. */
export async function averageMoveSeconds(db: Queryable): Promise<number | undefined> {
  const latest = db
    .select({ duration: deployments.duration })
    .from(deployments)
    .where(and(eq(deployments.trigger, 'DEPLOY'), isNotNull(deployments.duration)))
    .orderBy(desc(deployments.id))
    .limit(20)
    .as('latest')
  const [row] = await db.select({ seconds: avg(latest.duration).mapWith(Number) }).from(latest)
  return row?.seconds ?? undefined
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

/** What decides where the containers of a project may be. */
const siteFacts = (db: Queryable) => ({
  nodeId: projects.nodeId,
  filesNodeId: projects.filesNodeId,
  labels: projects.machineLabels,
  keepsFiles: projects.keepsFiles,
  // Another machine publishes the port for HTTP only.
  reachable: sql<boolean>`(${projects.reachable} or ${exists(
    db
      .select({ one: sql`1` })
      .from(tcpPorts)
      .where(eq(tcpPorts.projectId, projects.id))
  )})`,
  sleepAfterMinutes: projects.sleepAfterMinutes,
  hasVolumes: sql<boolean>`${exists(
    db
      .select({ one: sql`1` })
      .from(volumes)
      .where(and(eq(volumes.projectId, projects.id), isNull(volumes.deletedAt)))
  )}`
})

export type SiteFacts = NonNullable<Awaited<ReturnType<typeof findSiteFacts>>>

export async function findSiteFacts(db: Queryable, projectId: string) {
  const [row] = await db
    .select(siteFacts(db))
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)))
  return row
}

const isOn = (nodeId: string) => and(eq(projects.nodeId, nodeId), isNull(projects.deletedAt))

export const listSites = (db: Queryable, nodeId: string, page: { limit: number; offset: number }) =>
  db
    .select({
      projectId: projects.id,
      name: projects.name,
      type: projects.type,
      owner: users.name,
      facts: siteFacts(db),
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
    .where(isOn(nodeId))
    .orderBy(asc(projects.name), asc(projects.id))
    .limit(page.limit)
    .offset(page.offset)

/** In no particular order; `projectId` and what decides where it may be. */
export const listSiteFacts = (db: Queryable, nodeId: string) =>
  db
    .select({ projectId: projects.id, facts: siteFacts(db) })
    .from(projects)
    .where(isOn(nodeId))
