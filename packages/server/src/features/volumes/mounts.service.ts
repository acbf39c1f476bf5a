import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { withLock } from '../../db/lock.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { unpackImageFiles } from '../../infra/image-files/image-files.ts'
import { isStaged, listStaged, makeStagingDirectory, removeStaged } from '../../infra/staging/staging.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { projectDirectory, stagingRoot } from '../../process/paths.ts'
import type { VolumeMount } from '../containers/container-spec.policy.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { mebibyte } from './volume-view.ts'
import { findFilledAt, listVolumes, updateVolume, type VolumeRow } from './volumes.repository.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'engine' | 'freeDiskBytes' | 'hostHelper' | 'instanceId' | 'nodes' | 'now'
>

export const stagingPrefix = 'volume-'

interface FirstUse {
  image: string
  uid: number
}

/**
 * The volumes for a new container of the project, with their directories in place. Call before each container is
 * created: the first one that mounts a volume gives it what its image has at that path.
 */
export async function mountVolumes(
  deps: Deps,
  project: Pick<ProjectRow, 'id' | 'userId'>,
  use: FirstUse
): Promise<VolumeMount[]> {
  const rows = await listVolumes(deps.db, project.id)
  if (rows.length === 0) return []
  await syncProjectDirectories(deps, project.userId)
  for (const row of rows) if (row.filledAt === null) await fillOnce(deps, row, use)
  return rows.map(({ id, path }) => ({ id, source: projectDirectory(deps.config, id), target: path }))
}

const lock = {
  waitMs: 5 * 60_000,
  ifHeld: () => {
    throw new Error('Timed out waiting for another container that fills the volume')
  }
}

const fillOnce = (deps: Deps, row: VolumeRow, use: FirstUse): Promise<void> =>
  withLock(deps.db, `volume:${row.id}`, lock, async () => {
    if ((await findFilledAt(deps.db, row.id)) !== null) return
    await fill(deps, row, use)
  })

/** Idempotent: until `filledAt` is set no container has mounted the volume, so that its directory can be replaced. */
async function fill(deps: Deps, { id, path, sizeMb }: VolumeRow, { image, uid }: FirstUse): Promise<void> {
  const staging = join(stagingRoot(deps.config), `${stagingPrefix}${id}`)
  const [files, previous] = [join(staging, 'files'), join(staging, 'previous')]
  const isExchanging = await isStaged(previous)
  // Never over files that its owner has uploaded.
  const isEmpty = isExchanging || (await listStaged(projectDirectory(deps.config, id))).length === 0
  if (isEmpty && !isExchanging) {
    await removeStaged(staging)
    await makeStagingDirectory(files)
    const maxBytes = await requireFreeDisk(deps, sizeMb * mebibyte)
    const limits = { maxBytes, maxEntries: deps.config.ARCHIVE_MAX_ENTRIES }
    const name = `panel-${deps.instanceId}-volume-${id}`
    const labels = { [label.instance]: deps.instanceId, [label.role]: 'image-files' }
    await deps.engine.readImageFiles({ image, path, name, labels }, (tar) =>
      unpackImageFiles(tar, { directory: files, uid, limits })
    )
  }
  if (isEmpty) await deps.hostHelper.replaceProject(uid, id, files, previous)
  await updateVolume(deps.db, id, { filledAt: deps.now() })
  await removeStaged(staging)
}
