import { and, eq, inArray } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { containerSlots, deployments, hostNames, projects } from '../../db/schema.ts'

/** Takes the first of the candidates that is free or already this project's; undefined when there is none. */
export async function reserveHostname(
  trx: Transaction,
  projectId: string,
  candidates: readonly string[]
): Promise<string | undefined> {
  for (const hostname of candidates) {
    await trx.insert(hostNames).values({ hostname, projectId }).onConflictDoNothing()
    const [row] = await trx
      .select({ projectId: hostNames.projectId })
      .from(hostNames)
      .where(eq(hostNames.hostname, hostname))
    if (row?.projectId === projectId) return hostname
  }
  return undefined
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

/** What a route is decided from. */
export interface HostnameFacts {
  hostname: string
  projectStatus: 'ACTIVE' | 'CREATING' | 'STOPPED' | 'DELETED'
  /** Slot and port of the container that serves. */
  slotPort: number | null
  containerPort: number | null
  /** Whether a first deployment is on its way. */
  isDeploying: boolean
}

/** The facts of these host names, or of all. */
export async function listHostnameFacts(db: Queryable, hostnames?: readonly string[]): Promise<HostnameFacts[]> {
  const open = db
    .selectDistinct({ projectId: deployments.projectId })
    .from(deployments)
    .where(inArray(deployments.status, ['QUEUED', 'BUILDING', 'DEPLOYING']))
    .as('open')
  const rows = await db
    .select({
      hostname: hostNames.hostname,
      projectStatus: projects.status,
      slotPort: containerSlots.port,
      containerPort: containerSlots.containerPort,
      openProjectId: open.projectId
    })
    .from(hostNames)
    .innerJoin(projects, eq(projects.id, hostNames.projectId))
    .leftJoin(
      containerSlots,
      and(eq(containerSlots.projectId, projects.id), eq(containerSlots.deploymentId, projects.liveDeploymentId))
    )
    .leftJoin(open, eq(open.projectId, projects.id))
    .where(hostnames === undefined ? undefined : inArray(hostNames.hostname, [...hostnames]))
  return rows.map(({ openProjectId, ...facts }) => ({ ...facts, isDeploying: openProjectId !== null }))
}
