import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { BackedUpDatabase } from '@panel/contract/backups'
import { databaseTypes } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { Repository, SavedSnapshot } from '../../infra/backup-repository/backup-repository.ts'
import { makeStagingDirectory, removeStaged, writeStagedText } from '../../infra/staging/staging.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { backupStaging, projectDirectory } from '../../process/paths.ts'
import { listDatabasesOfProject } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'

type Deps = Pick<Dependencies, 'backupRepository' | 'config' | 'databaseDump' | 'db' | 'freeDiskBytes' | 'secretBox'>

interface Work {
  project: ProjectRow
  repository: Repository
  uploadLimitKib: number | null
  signal: AbortSignal
  onProgress(progress: { bytesDone: number; bytesTotal: number }): void
}

export interface ProjectBackup extends SavedSnapshot {
  databases: BackedUpDatabase[]
}

const manifestName = 'manifest.json'

/**
 * Layout of a snapshot: `files/` (the project's directory), `databases/<id>.sql`, `manifest.json`. The path of the stage
 * stays the same, so that restic finds the previous snapshot and reads only what changed. Resolves only after the
 * snapshot was read back.
 */
export async function backUpProject(deps: Deps, work: Work): Promise<ProjectBackup> {
  const { project, repository, signal } = work
  const stage = join(backupStaging(deps.config), `${repository.id}-${project.id}`)
  await removeStaged(stage)
  await makeStagingDirectory(join(stage, 'files'))
  await makeStagingDirectory(join(stage, 'databases'))
  try {
    const dumps = await dumpDatabases(deps, project, stage, signal)
    const manifest = JSON.stringify({ version: 1, project: { id: project.id, name: project.name, type: project.type }, databases: dumps }) // prettier-ignore
    await writeStagedText(join(stage, manifestName), manifest)
    const saved = await deps.backupRepository.save(repository, {
      stage,
      // Without a name on disk, the project has no directory yet.
      roots:
        project.filesName === null ? [] : [{ name: 'files', directory: projectDirectory(deps.config, project.id) }],
      tags: [`project:${project.id}`],
      uploadLimitKib: work.uploadLimitKib ?? undefined,
      signal,
      onProgress: work.onProgress
    })
    const checksums = new Map([
      [`/${manifestName}`, createHash('sha256').update(manifest).digest('hex')],
      ...dumps.map(({ id, sha256 }): [string, string] => [`/databases/${id}.sql`, sha256])
    ])
    await readBack(deps, repository, saved, checksums, signal)
    return { ...saved, databases: dumps.map(({ sha256: _, ...database }) => database) }
  } finally {
    await removeStaged(stage)
  }
}

async function dumpDatabases(
  deps: Deps,
  project: ProjectRow,
  stage: string,
  signal: AbortSignal
): Promise<(BackedUpDatabase & { sha256: string })[]> {
  const dumps = []
  const rows = await Promise.all(databaseTypes.map((type) => listDatabasesOfProject(deps.db, project.id, type)))
  for (const row of rows.flat()) {
    const path = join(stage, 'databases', `${row.id}.sql`)
    const maxBytes = await requireFreeDisk(deps)
    const dumped = await deps.databaseDump.dump(row.type, openAccount(deps, row), path, { maxBytes, signal })
    dumps.push({ id: row.id, name: row.name, type: row.type, ...dumped })
  }
  return dumps
}

/** Deletes the snapshot if it cannot be read back. */
async function readBack(
  { backupRepository }: Deps,
  repository: Repository,
  saved: SavedSnapshot,
  checksums: ReadonlyMap<string, string>,
  signal: AbortSignal
): Promise<void> {
  const problem = await findDifference()
  if (problem === undefined) return
  await backupRepository.forget(repository, [saved.snapshotId])
  throw new AdapterError('backup-target-unavailable', 'The backup could not be read back.', { reason: problem })

  async function findDifference(): Promise<string | undefined> {
    const { files } = await backupRepository.count(repository, saved.snapshotId, signal)
    if (files !== saved.files) return `${saved.files} files were written, ${files} are listed`
    for (const [path, expected] of checksums)
      if ((await backupRepository.checksum(repository, saved.snapshotId, path, signal)) !== expected)
        return `${path} has a different checksum`
    return undefined
  }
}
