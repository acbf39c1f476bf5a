import { join } from 'node:path'
import type { BackedUpDatabase } from '@panel/contract/backups'
import { databaseTypes } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import type { SavedSnapshot } from '../../infra/backup-repository/backup-repository.ts'
import { pageCacheDirectory } from '../../infra/image-builder/image-builder.ts'
import { makeStagingDirectory } from '../../infra/staging/staging.ts'
import { projectDirectory } from '../../process/paths.ts'
import { listDatabasesOfProject } from '../databases/database-access.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { listVolumes } from '../volumes/volume-access.ts'
import { dumpDatabases, withoutChecksum } from './database-dumps.service.ts'
import { volumeRoot } from './snapshot-paths.policy.ts'
import { readProjectSettings } from './project-backup-settings.service.ts'
import { projectTag } from './snapshot-tags.ts'
import { backUpStage, type BackupWork } from './stage-backup.service.ts'

type Deps = Pick<Dependencies, 'backupRepository' | 'config' | 'databaseDump' | 'db' | 'freeDiskBytes' | 'secretBox'>

export interface MadeBackup extends SavedSnapshot {
  databases: BackedUpDatabase[]
  /** Patterns of files that it leaves out. */
  excluded: string[]
  /** Names. */
  volumes: string[]
}

/** Layout of a snapshot: `files/` (the project's directory), `volumes/<name>/`, `databases/<id>.sql`, `manifest.json`. */
export async function backUpProject(deps: Deps, work: BackupWork & { project: ProjectRow }): Promise<MadeBackup> {
  const { id, name, type, filesName } = work.project
  const { saved, filled } = await backUpStage(deps, { ...work, name: id, tags: [projectTag(id)] }, async (stage) => {
    // Also without a directory on disk: a restore of all files then empties the project.
    await makeStagingDirectory(join(stage, 'files'))
    const rows = await Promise.all(databaseTypes.map((type) => listDatabasesOfProject(deps.db, id, type)))
    const linked = rows.flat().filter(({ status }) => status === 'ACTIVE')
    const dumps = await dumpDatabases(deps, linked, join(stage, 'databases'), work.signal)
    const { excluded } = await readProjectSettings(deps.db, id)
    const volumes = (await listVolumes(deps.db, id)).filter((volume) => volume.filesName !== null)
    const files = filesName === null ? [] : [{ id, name: 'files' }]
    const directories = [...files, ...volumes.map((volume) => ({ id: volume.id, name: volumeRoot(volume.name) }))]
    const skipped = type === 'WORDPRESS' ? [...excluded, `/${pageCacheDirectory}`] : excluded
    return {
      excluded,
      volumes: volumes.map((volume) => volume.name),
      databases: dumps.map(withoutChecksum),
      manifest: {
        version: 1,
        project: { id, name, type },
        databases: dumps,
        excluded,
        volumes: volumes.map(({ name, path }) => ({ name, path }))
      },
      roots: directories.map(({ id, name }) => ({
        name,
        directory: projectDirectory(deps.config, id),
        excluded: skipped
      })),
      checksums: new Map(dumps.map(({ id, sha256 }) => [`/databases/${id}.sql`, sha256]))
    }
  })
  return { ...saved, databases: filled.databases, excluded: filled.excluded, volumes: filled.volumes }
}
