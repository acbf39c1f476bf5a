import { and, eq, inArray, isNotNull, lt, ne } from 'drizzle-orm'
import type { Dependencies } from '../../dependencies.ts'
import { deployments, projects, pushDeliveries, sessions } from '../../db/schema.ts'
import { messageOf } from '../../errors.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { openStatuses } from '../deployments/deployment.machine.ts'
import { cacheToDrop, releasesToDrop } from './image-cleanup.policy.ts'

const dayMs = 24 * 3600 * 1000

/**
 * Keeps the last KEEP_RELEASES images of each project and IMAGE_DISK_BUDGET of build cache. It only ever looks at images with our
 * labels, and never at volumes. Rows that have outlived their use go too.
 */
export async function cleanUpImages(
  deps: Pick<Dependencies, 'config' | 'db' | 'engine' | 'instanceId' | 'now' | 'logger'>
): Promise<void> {
  await deps.db.delete(pushDeliveries).where(lt(pushDeliveries.createdAt, new Date(deps.now().getTime() - 30 * dayMs)))
  await deps.db.delete(sessions).where(lt(sessions.expiresAt, new Date(deps.now().getTime() - 90 * dayMs)))

  const images = await deps.engine.listImages({ [label.instance]: deps.instanceId })
  // Before the images that are kept: a deployment that ends in between is then in both, never in neither.
  const open = await deps.db
    .select({ id: deployments.id })
    .from(deployments)
    .where(inArray(deployments.status, [...openStatuses]))
  const building = new Set(open.map((row) => row.id))
  const kept = await deps.db
    .select({
      deploymentId: deployments.id,
      projectId: deployments.projectId,
      image: deployments.image,
      seq: deployments.seq,
      status: deployments.status,
      live: projects.liveDeploymentId
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(isNotNull(deployments.image))
  const releases = kept.map((row) => ({ ...row, image: row.image! }))
  const inUse = new Set(
    releases
      .filter((row) => row.live === row.deploymentId || openStatuses.some((status) => status === row.status))
      .map((row) => row.image)
  )
  const succeeded = releases.filter((row) => row.status === 'RUNNING')
  const failed = releases.filter(
    (row) => row.status !== 'RUNNING' && !inUse.has(row.image) && !succeeded.some((other) => other.image === row.image)
  )
  for (const image of [
    ...releasesToDrop(succeeded, deps.config.KEEP_RELEASES, inUse),
    ...failed.map((row) => row.image)
  ]) {
    await drop(deps, image)
    await deps.db
      .update(deployments)
      .set({ image: null, imageSpec: null })
      .where(and(eq(deployments.image, image), ne(deployments.status, 'QUEUED')))
  }

  const known = new Set(releases.map((row) => row.image))
  const isOrphan = (tag: string) => tag.startsWith(`${deps.config.BUILD_IMAGE_PREFIX}-`) && !known.has(tag)
  for (const image of images) {
    if (building.has(image.labels[label.deployment] ?? '')) continue
    for (const tag of image.tags.filter(isOrphan)) await drop(deps, tag)
  }
  for (const id of cacheToDrop(
    images.filter((image) => image.tags.length === 0 && !building.has(image.labels[label.deployment] ?? '')),
    deps.config.IMAGE_DISK_BUDGET
  ))
    await drop(deps, id)
}

/** An image that something still uses stays: the engine says so, and the next round tries again. */
async function drop(deps: Pick<Dependencies, 'engine' | 'logger'>, reference: string): Promise<void> {
  try {
    await deps.engine.removeImage(reference)
    deps.logger.info({ image: reference }, 'image removed')
  } catch (error) {
    deps.logger.warn({ image: reference, error: messageOf(error) }, 'image stays')
  }
}
