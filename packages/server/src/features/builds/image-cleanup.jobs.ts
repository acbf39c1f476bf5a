import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { type OnMachine, onEachMachine } from '../nodes/on-machine.service.ts'
import { childrenFirst } from './image-cleanup.policy.ts'
import { removeCopies } from './image-copies.service.ts'
import {
  type ImageDeps,
  listRemovableCache,
  listRemovableReleases,
  pruneBuildKitCache,
  removeImage
} from './image-cleanup.service.ts'

const dayMs = 24 * 3600_000

export async function requestImageCleanUp(deps: Pick<Dependencies, 'db' | 'jobs'>): Promise<void> {
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'images.clean', {}, { key: 'next' }))
}

/** Keeps KEEP_RELEASES images per project, and IMAGE_DISK_BUDGET and BUILD_CACHE_DAYS of cache. */
export async function cleanUpImages(deps: ImageDeps & OnMachine & Pick<Dependencies, 'now'>): Promise<void> {
  for (const image of await listRemovableReleases(deps)) await removeImage(deps, image)
  const { IMAGE_DISK_BUDGET: budgetBytes, BUILD_CACHE_DAYS } = deps.config
  const before = new Date(deps.now().getTime() - BUILD_CACHE_DAYS * dayMs)
  for (const image of await listRemovableCache(deps, { budgetBytes, before })) await removeImage(deps, image)
  await pruneBuildKitCache(deps, { budgetBytes, before })
  await onEachMachine(deps, removeCopies)
}

export async function removeProjectImages(
  { engine, instanceId }: Pick<ImageDeps, 'engine' | 'instanceId'>,
  projectId: string
): Promise<void> {
  const images = await engine.listImages({ [label.instance]: instanceId, [label.project]: projectId })
  for (const image of childrenFirst(images)) {
    for (const reference of image.tags.length > 0 ? image.tags : [image.id]) await engine.removeImage(reference)
  }
}
