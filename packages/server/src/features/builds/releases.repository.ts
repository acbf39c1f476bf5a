import { openStatuses } from '@panel/contract/deployments'
import { and, eq, inArray, isNotNull, ne, notInArray } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/database.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'

/** Queued and running builds and deployments: cleanup must not touch what they create. */
export async function listOpen(db: Queryable): Promise<{ id: string; projectId: string }[]> {
  return db
    .select({ id: deployments.id, projectId: deployments.projectId })
    .from(deployments)
    .where(inArray(deployments.status, [...openStatuses]))
}

export async function listReleases(db: Queryable) {
  const rows = await db
    .select({
      deploymentId: deployments.id,
      projectId: deployments.projectId,
      image: deployments.image,
      seq: deployments.seq,
      status: deployments.status,
      live: projects.liveDeploymentId,
      // Its container exists, even if it is only draining.
      port: containerSlots.port
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .leftJoin(containerSlots, and(eq(containerSlots.deploymentId, deployments.id), eq(containerSlots.instance, 0)))
    .where(isNotNull(deployments.image))
  return rows.map((row) => ({ ...row, image: row.image! }))
}

/** Withdraws an image from rollbacks. Resolves with false if an open deployment needs it. */
export async function evictImage(db: Database, image: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const rows = await trx
      .select({ status: deployments.status })
      .from(deployments)
      .where(eq(deployments.image, image))
      .for('update')
    if (rows.some((row) => openStatuses.some((open) => open === row.status))) return false
    await trx.update(deployments).set({ image: null, imageSpec: null }).where(eq(deployments.image, image))
    return true
  })
}

export async function listLiveProjectIds(db: Queryable): Promise<string[]> {
  const rows = await db.select({ id: projects.id }).from(projects).where(ne(projects.status, 'DELETED'))
  return rows.map(({ id }) => id)
}

export async function listOwners(
  db: Queryable,
  userIds: readonly string[],
  projectIds: readonly string[]
): Promise<{ id: string; userId: string }[]> {
  return db
    .select({ id: projects.id, userId: projects.userId })
    .from(projects)
    .where(and(inArray(projects.userId, [...userIds]), inArray(projects.id, [...projectIds])))
}

/** Images of these accounts that were built with the panel's own Dockerfiles. */
export async function listImagesByAccount(db: Queryable, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectDistinct({ userId: projects.userId, image: deployments.image })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(
      and(
        inArray(projects.userId, [...userIds]),
        isNotNull(deployments.image),
        notInArray(projects.type, ['DOCKERFILE', 'IMAGE'])
      )
    )
  const images = new Map<string, string[]>()
  for (const { userId, image } of rows) images.set(userId, [...(images.get(userId) ?? []), image!])
  return images
}
