import { runtimeVersions } from '@panel/contract/projects'
import { openStatuses } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { BuildCacheRecord, ImageSummary } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { cacheToDrop, childrenFirst, otherImages, ownBytesOf, releasesToDrop } from './image-cleanup.policy.ts'
import { evictImage, listLiveProjectIds, listOpen, listReleases } from './releases.repository.ts'

export type ImageDeps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'instanceId' | 'logger'>

/** An image that can go. `reference` is a tag, or the id of an image without one. */
export interface RemovableImage {
  reference: string
  bytes: number
  /** Whether rows may offer it for a rollback. */
  isRelease: boolean
}

/** Images beyond KEEP_RELEASES per project, of failed builds, and of rows that are gone. Only with our labels. */
export async function listRemovableReleases(deps: ImageDeps): Promise<RemovableImage[]> {
  const images = await deps.engine.listImages({ [label.instance]: deps.instanceId })
  // Read before the kept images: a deployment that ends in between is then in both lists, never in neither.
  const openDeployments = new Set((await listOpen(deps.db)).map((row) => row.id))
  const releases = await listReleases(deps.db)
  const isOpen = (status: string) => openStatuses.some((open) => open === status)
  const isUsed = (row: (typeof releases)[number]) =>
    row.live === row.deploymentId || row.port !== null || isOpen(row.status)
  const inUse = new Set(releases.filter(isUsed).map((row) => row.image))
  const succeeded = releases.filter((row) => row.status === 'RUNNING')
  const worked = new Set(succeeded.map((row) => row.image))
  const failed = releases.filter(({ image }) => !worked.has(image) && !inUse.has(image)).map((row) => row.image)
  const dropped = [...new Set([...releasesToDrop(succeeded, deps.config.KEEP_RELEASES, inUse), ...failed])]

  const known = new Set(releases.map((row) => row.image))
  const isOrphan = (tag: string) => tag.startsWith(`${deps.config.BUILD_IMAGE_PREFIX}-`) && !known.has(tag)
  const orphans = images
    .filter((image) => !openDeployments.has(image.labels[label.deployment] ?? ''))
    .flatMap((image) => image.tags.filter(isOrphan))
  const ownBytes = ownBytesOf(images)
  const byTag = new Map(images.flatMap((image) => image.tags.map((tag) => [tag, image] as const)))
  const bytesOf = (tag: string) => (byTag.has(tag) ? ownBytes(byTag.get(tag)!) : 0)
  return [
    ...dropped.map((reference) => ({ reference, bytes: bytesOf(reference), isRelease: true })),
    ...orphans.map((reference) => ({ reference, bytes: bytesOf(reference), isRelease: false }))
  ]
}

/** Build cache above the budget or from before `before`, and of projects that are gone. Skips projects that build. */
export async function listRemovableCache(
  deps: Pick<ImageDeps, 'db' | 'engine' | 'instanceId'>,
  limits: { budgetBytes: number; before: Date }
): Promise<RemovableImage[]> {
  const images = await deps.engine.listImages({ [label.instance]: deps.instanceId })
  const openProjects = new Set((await listOpen(deps.db)).map((row) => row.projectId))
  const liveProjects = new Set(await listLiveProjectIds(deps.db))
  const projectOf = (image: ImageSummary) => image.labels[label.project] ?? ''
  // Images without a project are stages shared by all projects: cache.
  const isAbandoned = (image: ImageSummary) =>
    image.tags.length === 0 && projectOf(image) !== '' && !liveProjects.has(projectOf(image))
  const isBuilding = (image: ImageSummary) =>
    projectOf(image) === '' ? openProjects.size > 0 : openProjects.has(projectOf(image))
  const abandoned = childrenFirst(images.filter(isAbandoned)).map(({ id }) => id)
  const rest = images
    .filter((image) => !isAbandoned(image))
    .map((image) => ({ ...image, isPinned: image.tags.length > 0 || isBuilding(image) }))
  const byId = new Map(images.map((image) => [image.id, image]))
  const ownBytes = ownBytesOf(images)
  return [...abandoned, ...cacheToDrop(rest, limits)].map((id) => ({
    reference: id,
    bytes: ownBytes(byId.get(id)!),
    isRelease: false
  }))
}

/** BuildKit's cache belongs to the engine: what one account's builds keep there cannot be told from another's. */
export const listBuildKitCache = async (
  engine: Pick<ImageDeps['engine'], 'findBuilder' | 'listBuildCache'>
): Promise<readonly BuildCacheRecord[]> =>
  (await engine.findBuilder()).kind === 'buildkit' ? engine.listBuildCache() : []

/** Keeps of BuildKit's cache what was used since `before`, within the budget. */
export async function pruneBuildKitCache(
  { engine, logger }: Pick<ImageDeps, 'engine' | 'logger'>,
  { budgetBytes, before }: { budgetBytes: number; before: Date }
): Promise<void> {
  const cache = await listBuildKitCache(engine)
  const isOld = cache.some(({ lastUsedAt, isInUse }) => !isInUse && lastUsedAt < before)
  const bytes = cache.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const freed =
    (isOld ? await engine.pruneBuildCache({ before }) : 0) +
    (bytes > budgetBytes ? await engine.pruneBuildCache({ keepBytes: budgetBytes }) : 0)
  if (freed > 0) logger.info({ bytes: freed }, 'build cache pruned')
}

/**
 * Images that neither this nor another panel made, and that no container, image of ours or base image of the settings
 * needs.
 */
export async function listOtherImages({
  config,
  engine
}: Pick<ImageDeps, 'config' | 'engine'>): Promise<RemovableImage[]> {
  const { BUILD_IMAGE_NODE, BUILD_IMAGE_COMPILERS, BUILD_IMAGE_PYTHON, BUILD_IMAGE_STATIC, BUILD_IMAGE_PHP } = config
  const bases = [BUILD_IMAGE_NODE, BUILD_IMAGE_COMPILERS, BUILD_IMAGE_PYTHON, BUILD_IMAGE_STATIC, BUILD_IMAGE_PHP]
  const needed = new Set(
    bases.flatMap((name) =>
      name === undefined ? [] : runtimeVersions.map((version) => name.replaceAll('{version}', version))
    )
  )
  return otherImages(await engine.listAllImages(), needed, label.instance).flatMap(({ id, tags, sizeBytes }) =>
    (tags.length > 0 ? tags : [id]).map((reference, i) => ({
      reference,
      bytes: i === 0 ? sizeBytes : 0,
      isRelease: false
    }))
  )
}

/** Resolves with false if it is needed after all; the engine refuses to remove an image in use. */
export async function removeImage(
  deps: Pick<ImageDeps, 'db' | 'engine' | 'logger'>,
  { reference, isRelease }: RemovableImage
): Promise<boolean> {
  // Rows first, so that no rollback offers an image that is about to be removed. An image requested in the meantime
  // stays.
  if (isRelease && !(await evictImage(deps.db, reference))) return false
  try {
    await deps.engine.removeImage(reference)
    deps.logger.info({ image: reference }, 'image removed')
    return true
  } catch (error) {
    deps.logger.warn({ image: reference, error: messageOf(error) }, 'could not remove image')
    return false
  }
}
