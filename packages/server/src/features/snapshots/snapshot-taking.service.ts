import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { phpIndexes } from '../../infra/image-builder/image-builder.ts'
import {
  isStaged,
  listStaged,
  makeStagingDirectory,
  moveStaged,
  removeStaged,
  writeStaged
} from '../../infra/staging/staging.ts'
import { projectDirectory } from '../../process/paths.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { noteFilesWritten, requireAccountSpace } from '../disk-usage/disk-usage-access.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { storedArchive } from './archive-limit.service.ts'
import { siteRoot } from './site-root.policy.ts'
import { projectSnapshots, snapshotPaths } from './snapshot-paths.service.ts'
import { insertSnapshot, listEarlierSnapshots } from './snapshots.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'fileStore' | 'freeDiskBytes' | 'nodes' | 'now' | 'worker'>

/** Deflate reaches 1,032:1; real files stay far below 200:1. */
const maxArchiveRatio = 200

export interface Taken {
  files: number
  bytes: number
  hasIndex: boolean
}

/**
 * Copies the files of a project. What an earlier snapshot has too takes no space: it is linked to that, not to the project's
 * file, which SFTP writes in place.
 */
export async function takeSnapshot(deps: Deps, project: ProjectRow, id: string, signal: AbortSignal): Promise<Taken> {
  const { config, db, fileStore } = deps
  const uid = await uidOf(deps, project)
  await insertSnapshot(db, { id, projectId: project.id, createdAt: deps.now() })
  const space = await requireAccountSpace(deps, project.userId)
  await syncProjectDirectories(deps, project.userId)
  await makeStagingDirectory(projectSnapshots(config, uid, project.id))
  const paths = snapshotPaths(config, uid, { id, projectId: project.id })
  const { newBytes, ...taken } = await fileStore.capture(projectDirectory(config, project.id), paths.draft, {
    uid,
    like: await findComplete(deps, uid, project.id, id),
    maxBytes: await requireFreeDisk(deps, space),
    maxFiles: config.ARCHIVE_MAX_ENTRIES,
    signal
  })
  await moveStaged(paths.draft, paths.files)
  await noteFilesWritten(deps, project.userId, newBytes)
  return { ...taken, hasIndex: await hasIndex(paths.files, project) }
}

async function hasIndex(files: string, { type, outputDirectory }: ProjectRow): Promise<boolean> {
  const names = type === 'PHP' ? [...phpIndexes, 'index.html'] : ['index.html']
  const ofRoot = outputDirectory === null ? [] : [`${outputDirectory}/index.php`, `${outputDirectory}/index.html`]
  for (const name of type === 'PHP' ? [...names, ...ofRoot] : names) if (await isStaged(`${files}/${name}`)) return true
  return false
}

async function findComplete(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  uid: number,
  projectId: string,
  before: string
): Promise<string | undefined> {
  for (const id of await listEarlierSnapshots(db, projectId, before)) {
    const { files } = snapshotPaths(config, uid, { id, projectId })
    if (await isStaged(files)) return files
  }
  return undefined
}

/** Unpacks an archive. `id` is that of a row. On rejection, the caller removes what is there. */
export async function unpackSnapshot(
  deps: Deps,
  project: ProjectRow,
  id: string,
  input: AsyncIterable<Buffer>
): Promise<Omit<Taken, 'hasIndex'>> {
  const { config, fileStore } = deps
  const uid = await uidOf(deps, project)
  const paths = snapshotPaths(config, uid, { id, projectId: project.id })
  await makeStagingDirectory(projectSnapshots(config, uid, project.id))
  const space = await requireAccountSpace(deps, project.userId)
  const maxBytes = await requireFreeDisk(deps, Math.min(config.ARCHIVE_MAX_SIZE, space))
  const tooLarge = () => (space < config.ARCHIVE_MAX_SIZE ? noSpace(space) : undefined)
  await storedArchive(input, writeStaged(paths.archive), maxBytes, tooLarge)
  await makeStagingDirectory(paths.draft)
  const limits = { maxBytes, maxEntries: config.ARCHIVE_MAX_ENTRIES, maxRatio: maxArchiveRatio }
  const { files, bytes } = await fileStore
    .unpack(paths.archive, paths.draft, limits, { uid })
    .catch((error: unknown) => {
      throw isTooLarge(error) ? (tooLarge() ?? error) : error
    })
  await removeStaged(paths.archive)
  await removeStaged(`${paths.draft}/__MACOSX`)
  const root = siteRoot(await listStaged(paths.draft))
  const directory = root !== undefined && (await isDirectory(`${paths.draft}/${root}`)) ? `${paths.draft}/${root}` : paths.draft // oxfmt-ignore
  await removeStaged(`${directory}/.git`)
  await moveStaged(directory, paths.files)
  await removeStaged(paths.draft)
  await noteFilesWritten(deps, project.userId, bytes)
  return { files, bytes }
}

const isTooLarge = (error: unknown) => error instanceof AdapterError && error.kind === 'too-large'

/** Entries are files and directories only. */
const isDirectory = async (path: string): Promise<boolean> => listStaged(path).then(() => true, () => false) // oxfmt-ignore

const noSpace = (bytes: number) =>
  new AppError(
    'QUOTA_EXCEEDED',
    `The archive does not fit into the ${Math.floor(bytes / 2 ** 20)} MiB that your disk limit leaves. Delete files, or ask for a higher limit. The site is unchanged.`
  )

async function uidOf({ db }: Pick<Deps, 'db'>, { userId }: ProjectRow): Promise<number> {
  const uid = await findUid(db, userId)
  if (uid === undefined) throw new AppError('NOT_FOUND', 'Project not found')
  return uid
}
