import { openStatuses } from '@panel/contract/deployments'
import { eq, inArray, isNotNull, lt, ne } from 'drizzle-orm'
import type { Dependencies } from '../../dependencies.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'
import { pushDeliveries } from '../../db/schema/push-deliveries.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { messageOf } from '../../errors.ts'
import type { ImageSummary } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { cacheToDrop, childrenFirst, releasesToDrop } from './image-cleanup.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'instanceId' | 'now' | 'logger'>

const dayMs = 24 * 3600 * 1000

/** Soon, by a worker. */
export async function requestImageCleanUp(deps: Pick<Dependencies, 'db' | 'jobs'>): Promise<void> {
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'images.clean', {}, { key: 'next' }))
}

/**
 * Keeps the last KEEP_RELEASES images of each project and IMAGE_DISK_BUDGET of build cache. It only ever looks at images with our
 * labels, and never at volumes. Rows that have outlived their use go too.
 */
export async function cleanUpImages(deps: Deps): Promise<void> {
  await dropOldRows(deps)
  const images = await deps.engine.listImages({ [label.instance]: deps.instanceId })
  // Before the images that are kept: a deployment that ends in between is then in both, never in neither.
  const open = await deps.db
    .select({ id: deployments.id, projectId: deployments.projectId })
    .from(deployments)
    .where(inArray(deployments.status, [...openStatuses]))
  const openDeployments = new Set(open.map((row) => row.id))
  const known = await dropReleases(deps)

  const isOrphan = (tag: string) => tag.startsWith(`${deps.config.BUILD_IMAGE_PREFIX}-`) && !known.has(tag)
  for (const image of images) {
    if (openDeployments.has(image.labels[label.deployment] ?? '')) continue
    for (const tag of image.tags.filter(isOrphan)) await drop(deps, tag)
  }
  const openProjects = new Set(open.map((row) => row.projectId))
  await dropCache(deps, images, openProjects)
}

/** Resolves with the images that were known, also those that are gone by now. */
async function dropReleases(deps: Deps): Promise<Set<string>> {
  const rows = await deps.db
    .select({
      deploymentId: deployments.id,
      projectId: deployments.projectId,
      image: deployments.image,
      seq: deployments.seq,
      status: deployments.status,
      live: projects.liveDeploymentId,
      // Its container is there, if only to drain.
      port: containerSlots.port
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .leftJoin(containerSlots, eq(containerSlots.deploymentId, deployments.id))
    .where(isNotNull(deployments.image))
  const releases = rows.map((row) => ({ ...row, image: row.image! }))
  const isOpen = (status: string) => openStatuses.some((open) => open === status)
  const isUsed = (row: (typeof releases)[number]) =>
    row.live === row.deploymentId || row.port !== null || isOpen(row.status)
  const inUse = new Set(releases.filter(isUsed).map((row) => row.image))
  const succeeded = releases.filter((row) => row.status === 'RUNNING')
  const worked = new Set(succeeded.map((row) => row.image))
  const failed = releases.filter(({ image }) => !worked.has(image) && !inUse.has(image)).map((row) => row.image)
  for (const image of [...releasesToDrop(succeeded, deps.config.KEEP_RELEASES, inUse), ...failed]) {
    // The rows first, so that nobody is offered an image that is about to go; one that was asked for meanwhile stays.
    if (await evictImage(deps, image)) await drop(deps, image)
  }
  return new Set(releases.map((row) => row.image))
}

/** Resolves with whether no open deployment wants it. */
async function evictImage(deps: Pick<Deps, 'db'>, image: string): Promise<boolean> {
  return deps.db.transaction(async (trx) => {
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

/** What deleted projects left, and what is over the budget. A build under way may be using the images of its project. */
async function dropCache(
  deps: Deps,
  images: readonly ImageSummary[],
  openProjects: ReadonlySet<string>
): Promise<void> {
  const rows = await deps.db.select({ id: projects.id }).from(projects).where(ne(projects.status, 'DELETED'))
  const liveProjects = new Set(rows.map((row) => row.id))
  const projectOf = (image: ImageSummary) => image.labels[label.project] ?? ''
  // Without a project: stages that all projects share, which are cache.
  const isAbandoned = (image: ImageSummary) =>
    image.tags.length === 0 && projectOf(image) !== '' && !liveProjects.has(projectOf(image))
  for (const { id } of childrenFirst(images.filter(isAbandoned))) await drop(deps, id)
  const isBuilding = (image: ImageSummary) =>
    projectOf(image) === '' ? openProjects.size > 0 : openProjects.has(projectOf(image))
  const rest = images
    .filter((image) => !isAbandoned(image))
    .map((image) => ({ ...image, isPinned: image.tags.length > 0 || isBuilding(image) }))
  for (const id of cacheToDrop(rest, deps.config.IMAGE_DISK_BUDGET)) await drop(deps, id)
}

/** Of a project that is deleted; its containers are gone. */
export async function removeProjectImages(
  { engine, instanceId }: Pick<Deps, 'engine' | 'instanceId'>,
  projectId: string
): Promise<void> {
  const images = await engine.listImages({ [label.instance]: instanceId, [label.project]: projectId })
  for (const image of childrenFirst(images)) {
    for (const reference of image.tags.length > 0 ? image.tags : [image.id]) await engine.removeImage(reference)
  }
}

async function dropOldRows(deps: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const daysAgo = (days: number) => new Date(deps.now().getTime() - days * dayMs)
  await deps.db.delete(pushDeliveries).where(lt(pushDeliveries.createdAt, daysAgo(30)))
  await deps.db.delete(sessions).where(lt(sessions.expiresAt, daysAgo(90)))
}

/** An image that something still uses stays: the engine says so, and the next round tries again. */
async function drop(deps: Pick<Deps, 'engine' | 'logger'>, reference: string): Promise<void> {
  try {
    await deps.engine.removeImage(reference)
    deps.logger.info({ image: reference }, 'image removed')
  } catch (error) {
    deps.logger.warn({ image: reference, error: messageOf(error) }, 'image stays')
  }
}
