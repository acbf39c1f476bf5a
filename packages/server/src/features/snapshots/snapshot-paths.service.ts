import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { snapshotsDirectory, stagingRoot } from '../../process/paths.ts'
import type { SnapshotRow } from './snapshots.repository.ts'

type Paths = Pick<Config, 'PROJECTS_DIR'>

/** Of a project, for the panel only; below a directory of its account, so that its files count there. */
export const projectSnapshots = (config: Paths, uid: number, projectId: string): string =>
  join(snapshotsDirectory(config), String(uid), projectId)

export interface SnapshotPaths {
  /** Exists once it is complete. */
  files: string
  /** While it is made. */
  draft: string
  archive: string
}

export function snapshotPaths(
  config: Paths,
  uid: number,
  { id, projectId }: Pick<SnapshotRow, 'id' | 'projectId'>
): SnapshotPaths {
  const files = join(projectSnapshots(config, uid, projectId), id)
  return { files, draft: `${files}.draft`, archive: `${files}.archive` }
}

export const placementPrefix = 'release-'

/** In the staging area, while the files of a deployment take the place of the project's. */
export function placementPaths(config: Paths, deploymentId: string) {
  const name = `${placementPrefix}${deploymentId}`
  const directory = join(stagingRoot(config), name)
  const at = (file: string) => join(directory, file)
  return {
    name,
    directory,
    draft: at('draft'),
    /** The new files. Their exchange may have begun as soon as this exists. */
    site: at('site'),
    /** The files that they replaced. */
    previous: at('previous'),
    /** The new files after the exchange was undone. */
    undone: at('undone')
  }
}
