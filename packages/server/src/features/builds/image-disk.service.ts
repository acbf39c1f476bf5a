import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import type { MeasuredAccount } from '../feature.ts'
import { bytesByProject, ownedBytes } from './image-disk.policy.ts'
import { listImagesByAccount, listOwners } from './releases.repository.ts'

export async function measureImages(
  { db, engine, instanceId }: Pick<Dependencies, 'db' | 'engine' | 'instanceId'>,
  accounts: readonly MeasuredAccount[]
): Promise<Map<string, number>> {
  const listed = await engine.listImages({ [label.instance]: instanceId })
  const images = listed.map((image) => ({
    ...image,
    project: image.labels[label.project] ?? '',
    pulled: image.labels[label.pulled]
  }))
  const ours = new Set(images.map(({ id }) => id))
  const others = new Set(
    images.flatMap(({ parentId }) => (parentId === undefined || ours.has(parentId) ? [] : [parentId]))
  )
  const sizeOfOthers = new Map<string, number>()
  for (const id of others) sizeOfOthers.set(id, (await engine.findImage(id))?.sizeBytes ?? 0)
  const byProject = bytesByProject(images, sizeOfOthers)
  const bytes = new Map<string, number>()
  const owners = await listOwners(
    db,
    accounts.map(({ id }) => id),
    [...byProject.keys()]
  )
  for (const { id, userId } of owners) bytes.set(userId, (bytes.get(userId) ?? 0) + (byProject.get(id) ?? 0))
  return bytes
}

/** Only the panel's own Dockerfiles assign files to the account's uid, so other images do not count. */
export async function measureOwnedFiles(
  { db, engine }: Pick<Dependencies, 'db' | 'engine'>,
  accounts: readonly MeasuredAccount[]
): Promise<Map<string, number>> {
  const images = await listImagesByAccount(
    db,
    accounts.map(({ id }) => id)
  )
  const bytes = new Map<string, number>()
  for (const { id, uid } of accounts) {
    const layers = []
    for (const image of images.get(id) ?? []) layers.push(await engine.imageLayers(image))
    bytes.set(id, ownedBytes(layers, uid))
  }
  return bytes
}
