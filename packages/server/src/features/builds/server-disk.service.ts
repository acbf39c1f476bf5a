import type { Dependencies } from '../../dependencies.ts'
import type { ImageSummary } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import type { CleanupItem, DiskCleanupSource, DiskPlace } from '../feature.ts'
import { ownBytesOf, withBases } from './image-cleanup.policy.ts'
import { listBuildKitCache, listOtherImages, listRemovableCache, listRemovableReleases, removeImage, type RemovableImage } from './image-cleanup.service.ts' // oxfmt-ignore

/**
 * Sizes as the engine reports them: walking its storage would take minutes. Layers that releases need count as images,
 * the other layers of builds as cache.
 */
export async function imagePlaces({ engine, instanceId }: Dependencies): Promise<DiskPlace[]> {
  const path = await engine.storageDirectory()
  const images = await engine.listAllImages()
  const isOurs = (image: ImageSummary) => image.labels[label.instance] === instanceId
  const needed = withBases(images, (image) => isOurs(image) && image.tags.length > 0)
  const ownBytes = ownBytesOf(images)
  const ofImages = images.map((image): DiskPlace => ({
    kind: !isOurs(image) ? 'OTHER_IMAGES' : needed.has(image.id) ? 'IMAGES' : 'BUILD_CACHE',
    path,
    bytes: ownBytes(image),
    projectId: isOurs(image) ? image.labels[label.project] : undefined
  }))
  const cache = await listBuildKitCache(engine)
  return [...ofImages, ...cache.map(({ sizeBytes: bytes }) => ({ kind: 'BUILD_CACHE' as const, path, bytes }))]
}

export const imageCleanups: readonly DiskCleanupSource[] = [
  {
    kind: 'BUILD_CACHE',
    async list(deps) {
      const images = await listRemovableCache(deps, { budgetBytes: 0, before: deps.now() })
      return [...itemsOf(deps, images), ...(await buildKitItems(deps))]
    }
  },
  {
    kind: 'RELEASES',
    async list(deps) {
      return itemsOf(deps, await listRemovableReleases(deps))
    }
  },
  {
    kind: 'OTHER_IMAGES',
    async list(deps) {
      return itemsOf(deps, await listOtherImages(deps))
    }
  }
]

/** One item, because the engine removes records in the order of their needs. */
async function buildKitItems({ engine }: Dependencies): Promise<CleanupItem[]> {
  const unused = (await listBuildKitCache(engine)).filter(({ isInUse }) => !isInUse)
  const bytes = unused.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes === 0) return []
  return [{ name: 'BuildKit', bytes, remove: async () => (await engine.pruneBuildCache({ keepBytes: 0 })) > 0 }]
}

const itemsOf = (deps: Dependencies, images: readonly RemovableImage[]): CleanupItem[] =>
  images.map((image) => ({
    name: image.reference.replace(/^sha256:(.{12}).*$/, '$1'),
    bytes: image.bytes,
    remove: () => removeImage(deps, image)
  }))
