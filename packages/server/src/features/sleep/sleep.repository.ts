import { openStatuses } from '@panel/contract/deployments'
import { and, eq, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'
import { terminals } from '../../db/schema/terminals.ts'
import { trafficPoints } from '../../db/schema/traffic.ts'
import type { Endpoint } from '../../infra/container-engine/container-engine.ts'
import type { SiteActivity } from './sleep.policy.ts'

const { asleepSince, deployedAt, id, liveDeploymentId, sleepAfterMinutes, status, wokenAt } = projects

const isAwake = and(
  eq(status, 'ACTIVE'),
  isNull(asleepSince),
  isNotNull(sleepAfterMinutes),
  isNotNull(liveDeploymentId)
)

export const canAnySleep = async (db: Queryable): Promise<boolean> => (await db.$count(projects, isAwake)) > 0

/** The awake sites that may sleep, in one query that ignores all other projects. */
export async function listActivity(
  db: Queryable,
  nodeId: string,
  now: Date
): Promise<(SiteActivity & { projectId: string })[]> {
  // Older points are of a quarter of an hour.
  const lastRequestAt = sql<Date | null>`(
    select max(${trafficPoints.at} + make_interval(secs => ${trafficPoints.seconds})) from ${trafficPoints}
    where ${trafficPoints.projectId} = ${id}
      and ${trafficPoints.at} > ${now.toISOString()}::timestamptz - make_interval(mins => ${sleepAfterMinutes} + 15))`
  const rows = await db
    .select({
      projectId: id,
      sleepAfterMinutes,
      deployedAt,
      wokenAt,
      lastRequestAt: lastRequestAt.mapWith(trafficPoints.at)
    })
    .from(projects)
    .where(and(isAwake, eq(projects.nodeId, nodeId)))
    .orderBy(id)
  return rows.map(({ deployedAt, wokenAt, sleepAfterMinutes, ...row }) => ({
    ...row,
    sleepAfterMinutes: sleepAfterMinutes!,
    awakeSince: new Date(Math.max(deployedAt?.getTime() ?? 0, wokenAt?.getTime() ?? 0))
  }))
}

/** False if it may not sleep: a deployment is in progress, a terminal is open, or it changed in the meantime. */
export async function markAsleep(trx: Transaction, projectId: string, now: Date): Promise<boolean> {
  const open = trx
    .select({ id: deployments.id })
    .from(deployments)
    .where(and(eq(deployments.projectId, id), inArray(deployments.status, [...openStatuses])))
  const openTerminals = trx
    .select({ id: terminals.id })
    .from(terminals)
    .where(and(eq(terminals.projectId, id), isNull(terminals.endedAt)))
  const rows = await trx
    .update(projects)
    .set({ asleepSince: now, updatedAt: now })
    .where(and(eq(id, projectId), isAwake, notExists(open), notExists(openTerminals)))
    .returning({ id })
  return rows.length > 0
}

/** The site whose live container has the address. Those on the former shared network have none, and do not sleep. */
export async function findSiteAt(
  db: Queryable,
  nodeId: string,
  { address, port }: Endpoint
): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId: id })
    .from(containerSlots)
    .innerJoin(projects, eq(liveDeploymentId, containerSlots.deploymentId))
    .where(
      and(
        eq(containerSlots.nodeId, nodeId),
        eq(containerSlots.address, address),
        eq(containerSlots.containerPort, port)
      )
    )
  return row?.projectId
}
