import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { isStaged, makeStagingDirectory, removeStaged } from '../../infra/staging/staging.ts'
import { stagingRoot } from '../../process/paths.ts'
import { requireGood } from './backups.service.ts'
import { type BackupRow, findBackup, findPanelBackup, findTarget } from './backups.repository.ts'
import { requireRestoreRoom } from './restore-room.service.ts'
import type { RestoreRow } from './restores.repository.ts'
import { openRepository, requireTarget } from './targets.service.ts'

export const stagingPrefix = 'restore-'

/** On the file system of the projects, so that files are moved into place by renaming. */
export function stagingOf({ config }: Pick<Dependencies, 'config'>, id: string) {
  const directory = join(stagingRoot(config), `${stagingPrefix}${id}`)
  const at = (name: string) => join(directory, name)
  return { directory, restored: at('restored'), files: at('files'), previous: at('previous'), undone: at('undone') }
}

/** The backup that a restore reads: of the project, or of the panel for what belongs to none. */
export async function requireSource({ db }: Pick<Dependencies, 'db'>, row: RestoreRow): Promise<BackupRow> {
  const { projectId, backupId } = row
  const found = await (projectId === null ? findPanelBackup(db, backupId) : findBackup(db, projectId, backupId))
  return requireGood(found).backup
}

/** Restores `path` of the backup into the staging area, if there is room for it. */
export async function fetchFromBackup(
  deps: Dependencies,
  row: RestoreRow,
  backup: BackupRow,
  { path, bytes, signal }: { path: string; bytes: number; signal: AbortSignal }
): Promise<string> {
  await requireRestoreRoom(deps, bytes)
  const target = requireTarget(await findTarget(deps.db, backup.targetId))
  const { directory, restored } = stagingOf(deps, row.id)
  await removeStaged(directory)
  await makeStagingDirectory(restored)
  await deps.backupRepository.restore(openRepository(deps, target), backup.snapshotId!, {
    path,
    directory: restored,
    signal
  })
  const found = join(restored, path)
  if (!(await isStaged(found))) throw new AppError('NOT_FOUND', 'The backup has nothing at this path.')
  return found
}
