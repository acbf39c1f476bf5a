import { and, asc, avg, count, desc, eq, exists, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { accountNetworks } from '../../db/schema/account-networks.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { nodes, type NodeTunnel } from '../../db/schema/nodes.ts'
import { projects } from '../../db/schema/projects.ts'
import { tcpPorts } from '../../db/schema/tcp-ports.ts'
import { users } from '../../db/schema/users.ts'
import { volumes } from '../../db/schema/volumes.ts'

export type NodeRow = typeof nodes.$inferSelect

/** The panel's own first, since it is the oldest. */
export const listNodes = (db: Queryable): Promise<NodeRow[]> =>
  db.select().from(nodes).orderBy(asc(nodes.createdAt), asc(nodes.id))

/** Besides the panel's own. */
export async function areSeveralAdded(db: Queryable): Promise<boolean> {
  return (await db.$count(nodes)) > 2
}

export async function lockNode(trx: Transaction, id: string): Promise<NodeRow | undefined> {
  const [row] = await trx.select().from(nodes).where(eq(nodes.id, id)).for('update')
  return row
}

export async function insertNode(db: Queryable, values: typeof nodes.$inferInsert): Promise<NodeRow> {
  const [row] = await db.insert(nodes).values(values).returning()
  return row!
}

type Changed = Partial<
  Pick<NodeRow, 'name' | 'labels' | 'isPaused' | 'isDraining' | 'publicIp' | 'roles' | 'tunnel' | 'upgrade'>
>

export async function changeNode(trx: Transaction, id: string, values: Changed): Promise<NodeRow> {
  const [row] = await trx.update(nodes).set(values).where(eq(nodes.id, id)).returning()
  return row!
}

export type Check = Partial<Pick<NodeRow, 'seenAt' | 'missedChecks' | 'facts' | 'problems'>>

/** Nothing if the machine was removed meanwhile. */
export async function saveCheck(db: Queryable, id: string, check: Check): Promise<void> {
  await db.update(nodes).set(check).where(eq(nodes.id, id))
}

/** The machines in the encrypted network, and its addresses. */
export async function listTunnels(db: Queryable) {
  const rows = await db
    .select({ id: nodes.id, ssh: nodes.ssh, roles: nodes.roles, tunnel: nodes.tunnel })
    .from(nodes)
    .where(isNotNull(nodes.tunnel))
    .orderBy(asc(nodes.id))
  return rows.flatMap(({ id, ssh, roles, tunnel }) => (ssh && tunnel ? [{ id, host: ssh.host, roles, ...tunnel }] : []))
}

/** Nothing if the machine has left the encrypted network, or joined it again, meanwhile. */
export async function saveTunnel(db: Queryable, id: string, tunnel: NodeTunnel): Promise<void> {
  await db
    .update(nodes)
    .set({ tunnel })
    .where(and(eq(nodes.id, id), sql`${nodes.tunnel}->>'machine' = ${tunnel.machine}`))
}

/** Ranges of container networks, on any machine. */
export async function listContainerSubnets(db: Queryable): Promise<string[]> {
  const known = await db.select({ network: nodes.network }).from(nodes).where(isNotNull(nodes.network))
  const used = await db.select({ subnet: accountNetworks.subnet }).from(accountNetworks)
  const pools = known.flatMap(({ network }) => (JSON.parse(network!) as { pools?: string[] }).pools ?? [])
  return [...pools, ...used.map(({ subnet }) => subnet)]
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

/** Whether containers there were replaced and have not ended yet. */
export async function isRetiring(db: Queryable, id: string): Promise<boolean> {
  return (await db.$count(containerSlots, and(eq(containerSlots.nodeId, id), isNotNull(containerSlots.retiredAt)))) > 0
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

/** Projects by machine: one with instances on several counts on each. */
export async function countProjects(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const places = db
    .select({ nodeId: projects.nodeId, projectId: projects.id })
    .from(projects)
    .where(isNull(projects.deletedAt))
    .union(
      db
        .select({ nodeId: containerSlots.nodeId, projectId: projects.id })
        .from(containerSlots)
        .innerJoin(projects, isLiveSlot)
        .where(isNull(projects.deletedAt))
    )
    .as('places')
  const rows = await db.select({ id: places.nodeId, n: count() }).from(places).groupBy(places.nodeId)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

const isLiveSlot = and(
  eq(containerSlots.projectId, projects.id),
  eq(containerSlots.deploymentId, projects.liveDeploymentId),
  isNull(containerSlots.retiredAt)
)

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
  instances: projects.instances,
  on: sql<
    string[]
  >`array(select ${containerSlots.nodeId} from ${containerSlots} where ${isLiveSlot} order by ${containerSlots.instance})`,
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

/** Also with an instance other than the first one. */
const isOn = (db: Queryable, nodeId: string) =>
  and(
    isNull(projects.deletedAt),
    or(
      eq(projects.nodeId, nodeId),
      exists(
        db
          .select({ one: sql`1` })
          .from(containerSlots)
          .where(and(isLiveSlot, eq(containerSlots.nodeId, nodeId)))
      )
    )
  )

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
    .where(isOn(db, nodeId))
    .orderBy(asc(projects.name), asc(projects.id))
    .limit(page.limit)
    .offset(page.offset)

/** In no particular order; with what is live, and what decides where it may be. */
export const listSiteFacts = (db: Queryable, nodeId: string) =>
  db
    .select({ projectId: projects.id, liveDeploymentId: projects.liveDeploymentId, facts: siteFacts(db) })
    .from(projects)
    .where(isOn(db, nodeId))

/** Of running projects with several live instances, in no particular order. */
export const listSpreadFacts = (db: Queryable) =>
  db
    .select({ projectId: projects.id, liveDeploymentId: projects.liveDeploymentId, facts: siteFacts(db) })
    .from(projects)
    .where(and(isNull(projects.deletedAt), eq(projects.status, 'ACTIVE'), gt(projects.instances, 1), isNotNull(projects.liveDeploymentId))) // oxfmt-ignore
