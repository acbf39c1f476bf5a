import { openStatuses } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { ImageSummary } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { cacheToDrop, childrenFirst, releasesToDrop } from './image-cleanup.policy.ts'
import { evictImage, listLiveProjectIds, listOpen, listReleases } from './releases.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'instanceId' | 'logger'>

export async function requestImageCleanUp(deps: Pick<Dependencies, 'db' | 'jobs'>): Promise<void> {
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'images.clean', {}, { key: 'next' }))
}

/** Keeps KEEP_RELEASES images per project and IMAGE_DISK_BUDGET of cache. Touches only images with our labels. */
export async function cleanUpImages(deps: Deps): Promise<void> {
  const images = await deps.engine.listImages({ [label.instance]: deps.instanceId })
  // Read before the kept images: a deployment that ends in between is then in both lists, never in neither.
  const open = await listOpen(deps.db)
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

/** Resolves with all images that had a row, including those that are removed now. */
async function dropReleases(deps: Deps): Promise<Set<string>> {
  const releases = await listReleases(deps.db)
  const isOpen = (status: string) => openStatuses.some((open) => open === status)
  const isUsed = (row: (typeof releases)[number]) =>
    row.live === row.deploymentId || row.port !== null || isOpen(row.status)
  const inUse = new Set(releases.filter(isUsed).map((row) => row.image))
  const succeeded = releases.filter((row) => row.status === 'RUNNING')
  const worked = new Set(succeeded.map((row) => row.image))
  const failed = releases.filter(({ image }) => !worked.has(image) && !inUse.has(image)).map((row) => row.image)
  for (const image of [...releasesToDrop(succeeded, deps.config.KEEP_RELEASES, inUse), ...failed]) {
    // Rows first, so that no rollback offers an image that is about to be removed. An image requested in the meantime
    // stays.
    if (await evictImage(deps.db, image)) await drop(deps, image)
  }
  return new Set(releases.map((row) => row.image))
}

/** Skips projects with a running build, which may use their cache. */
async function dropCache(
  deps: Deps,
  images: readonly ImageSummary[],
  openProjects: ReadonlySet<string>
): Promise<void> {
  const liveProjects = new Set(await listLiveProjectIds(deps.db))
  const projectOf = (image: ImageSummary) => image.labels[label.project] ?? ''
  // Images without a project are stages shared by all projects: cache.
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

export async function removeProjectImages(
  { engine, instanceId }: Pick<Deps, 'engine' | 'instanceId'>,
  projectId: string
): Promise<void> {
  const images = await engine.listImages({ [label.instance]: instanceId, [label.project]: projectId })
  for (const image of childrenFirst(images)) {
    for (const reference of image.tags.length > 0 ? image.tags : [image.id]) await engine.removeImage(reference)
  }
}

/** The engine refuses to remove an image in use; the next run tries again. */
async function drop(deps: Pick<Deps, 'engine' | 'logger'>, reference: string): Promise<void> {
  try {
    await deps.engine.removeImage(reference)
    deps.logger.info({ image: reference }, 'image removed')
  } catch (error) {
    deps.logger.warn({ image: reference, error: messageOf(error) }, 'could not remove image')
  }
}
