import { openStatuses } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { isStaged, listStaged, makeStagingDirectory, moveStaged } from '../../infra/staging/staging.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { stagingRoot } from '../../process/paths.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { removeStagedTree } from '../files/staged-removal.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { placementPaths, placementPrefix, snapshotPaths } from './snapshot-paths.service.ts'
import { listPlaced, type PlacedDeployment } from './snapshots.repository.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'fileStore' | 'freeDiskBytes' | 'hostHelper' | 'nodes' | 'now' | 'worker'
>

/** Containers of the previous deployment read its files until their last requests have ended. */
const keepPreviousMs = 60_000

interface Placement {
  project: ProjectRow
  deploymentId: string
  snapshotId: string
  signal: AbortSignal
}

/**
 * Makes the files of a snapshot those of the project, which containers that start from now on mount. Running ones keep the
 * previous files. `settlePlacements` undoes it if the deployment does not go live.
 */
export async function placeSnapshot(
  deps: Deps,
  { project, deploymentId, snapshotId, signal }: Placement
): Promise<void> {
  const { config, fileStore, hostHelper } = deps
  const uid = await findUid(deps.db, project.userId)
  if (uid === undefined) throw new AppError('NOT_FOUND', 'Project not found')
  const snapshot = snapshotPaths(config, uid, { id: snapshotId, projectId: project.id })
  const paths = placementPaths(config, deploymentId)
  await makeStagingDirectory(paths.directory)
  const limits = { maxBytes: await requireFreeDisk(deps), maxFiles: Infinity, signal }
  await fileStore.capture(snapshot.files, paths.draft, { uid, ...limits })
  await syncProjectDirectories(deps, project.userId)
  signal.throwIfAborted()
  await moveStaged(paths.draft, paths.site)
  await hostHelper.replaceProject(uid, project.id, paths.site, paths.previous)
}

/**
 * Ends what deployments left behind: removes the previous files of those that are live, and brings them back after one that
 * failed or was killed. Resolves with whether there is something to do later. Idempotent.
 */
export async function settlePlacements(deps: Deps, projectId?: string): Promise<boolean> {
  const root = stagingRoot(deps.config)
  if (!(await isStaged(root))) return false
  const names = (await listStaged(root)).filter((name) => name.startsWith(placementPrefix))
  const ids = names.map((name) => name.slice(placementPrefix.length))
  const known = new Map((await listPlaced(deps.db, ids)).map((row) => [row.id, row]))
  let isAnyLeft = false
  for (const id of ids) {
    const row = known.get(id)
    if (projectId !== undefined && row?.projectId !== projectId) continue
    if (!(await settle(deps, id, row))) isAnyLeft = true
  }
  return isAnyLeft
}

async function settle(deps: Deps, id: string, row: PlacedDeployment | undefined): Promise<boolean> {
  const paths = placementPaths(deps.config, id)
  if (row && !row.isProjectDeleted) {
    if (openStatuses.some((status) => status === row.status)) return false
    const isLive = row.isLive || row.status === 'RUNNING'
    if (isLive && deps.now().getTime() - row.updatedAt.getTime() < keepPreviousMs) return false
    if (!isLive) await undo(deps, row)
  }
  await removeStagedTree(deps, paths.name)
  return true
}

async function undo({ config, hostHelper }: Deps, { id, projectId, uid }: PlacedDeployment): Promise<void> {
  const { site, previous, undone } = placementPaths(config, id)
  // Completes an exchange that broke off, since it can only be undone as a whole.
  if (await isStaged(site)) await hostHelper.replaceProject(uid, projectId, site, previous)
  if ((await isStaged(previous)) || (await isStaged(undone)))
    await hostHelper.replaceProject(uid, projectId, previous, undone)
}
