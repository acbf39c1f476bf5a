import {
  type Extracted,
  type FileContent,
  type FileListQuery,
  type FileNode,
  type FileSearch,
  type FileSearchQuery,
  maxReadBytes,
  type WrittenFile
} from '@panel/contract/files'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { contentHash } from '../../text/content-hash.ts'
import { requireAccountSpace, noteFilesWritten } from '../disk-usage/disk-usage-access.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { recordChange } from './change-record.service.ts'
import { makeParents } from './parent-directories.service.ts'
import { directoryToChange, pathToChange, pathToCopy, pathToRead } from './client-path.policy.ts'
import { withinVolume } from './volume-room.service.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { listingLimit, treeOperationLimit } from './files.limits.ts'
import { fileView } from './file-view.ts'
import type { ProjectScope } from './project-scope.service.ts'
import { readListing } from './listing.service.ts'
import { getFilesRoot, openProjectTree } from './project-files.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes' | 'freeDiskBytes' | 'now' | 'worker'>

const treeOf = async (deps: Deps, { userId, projectId }: ProjectScope) =>
  (await openProjectTree(deps, userId, projectId)).tree

export async function listFiles(deps: Deps, scope: ProjectScope, query: FileListQuery): Promise<Buffer> {
  await getFilesRoot(deps.db, scope.projectId, scope.userId)
  const { path, depth, limit, after } = query
  if (after !== undefined && depth > 1) throw new AppError('VALIDATION_ERROR', '`after` requires `depth` 1')
  if (after && after.split('/').some((name) => ['', '.', '..'].includes(name) || name.includes('\0')))
    throw new AppError('PATH_INVALID', '`after` is not valid. Pass the `next` of the previous page.')
  const directory = pathToRead(path)
  return listingLimit.run(scope.userId, () => readListing(deps, scope.projectId, directory, { depth, limit, after }))
}

/** Reads a UTF-8 file; others are NOT_TEXT, because an editor would corrupt them. */
export async function readText(deps: Deps, scope: ProjectScope, requestedPath: string): Promise<FileContent> {
  const tree = await treeOf(deps, scope)
  const open = await tree.open(pathToRead(requestedPath))
  try {
    if (open.file.size > maxReadBytes) throw tooLargeToRead()
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of open.stream()) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length > maxReadBytes) throw tooLargeToRead()
    }
    const bytes = Buffer.concat(chunks)
    return {
      content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      etag: contentHash(bytes)
    }
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new AppError('NOT_TEXT', 'This file is not UTF-8 text. Download it instead.')
    throw error
  } finally {
    await open.close()
  }
}

const tooLargeToRead = () => new AppError('PAYLOAD_TOO_LARGE', 'This file is larger than 2 MB. Download it instead.')

const fileDeleted = () => new AppError('FILE_CHANGED', 'The file and its folder were deleted since you opened it')

/** `create` fails if the path exists, `replace` if it is a directory, `ifMatch` if the content has changed since. */
export async function writeText(
  deps: Deps,
  scope: ProjectScope,
  mode: 'create' | 'replace',
  { ifMatch, ...input }: { path: string; content: string; ifMatch?: string | undefined }
): Promise<WrittenFile> {
  const tree = await treeOf(deps, scope)
  const path = pathToChange(input.path)
  // With `ifMatch` the directory must still exist; recreating it would resurrect a deleted file.
  if (ifMatch === undefined) await makeParents(deps, scope, tree, path)
  const content = Buffer.from(input.content)
  const write = (room = maxReadBytes) =>
    tree.write(path, content, {
      mode,
      maxBytes: Math.min(room, maxReadBytes),
      ...(ifMatch === undefined ? {} : { ifMatch })
    })
  const node = await withinVolume(deps, scope.projectId, write, ({ size }) => size).catch((error: unknown) => {
    const isGone = error instanceof AdapterError && error.kind === 'file-not-found'
    throw ifMatch !== undefined && isGone ? fileDeleted() : error
  })
  await recordChange(deps, scope, mode === 'create' ? 'file.created' : 'file.written', { path, bytes: node.size })
  return { ...fileView(node), etag: contentHash(content) }
}

export async function makeDirectory(deps: Deps, scope: ProjectScope, requestedPath: string): Promise<FileNode> {
  const tree = await treeOf(deps, scope)
  const path = pathToChange(requestedPath)
  await makeParents(deps, scope, tree, path)
  const node = await tree.mkdir(path)
  await recordChange(deps, scope, 'file.directory_created', { path })
  return fileView(node)
}

export async function deleteFile(deps: Deps, scope: ProjectScope, requestedPath: string): Promise<string> {
  const tree = await treeOf(deps, scope)
  const path = pathToChange(requestedPath)
  await tree.remove(path)
  await recordChange(deps, scope, 'file.deleted', { path })
  return path
}

export async function moveFile(
  deps: Deps,
  scope: ProjectScope,
  input: { from: string; to: string }
): Promise<FileNode> {
  const tree = await treeOf(deps, scope)
  const [from, to] = [pathToChange(input.from), pathToChange(input.to)]
  const node = await tree.move(from, to)
  await recordChange(deps, scope, 'file.moved', { from, to })
  return fileView(node)
}

export async function copyFile(
  deps: Deps,
  scope: ProjectScope,
  input: { from: string; to: string }
): Promise<FileNode> {
  const tree = await treeOf(deps, scope)
  const [from, to] = [pathToCopy(input.from), pathToChange(input.to)]
  return treeOperationLimit.run(scope.userId, async () => {
    await requireFreeDisk(deps)
    const node = await withinVolume(
      deps,
      scope.projectId,
      () => tree.copy(from, to),
      ({ size }) => size
    )
    await noteFilesWritten(deps, scope.userId, node.size)
    await recordChange(deps, scope, 'file.copied', { from, to })
    return fileView(node)
  })
}

export async function changeMode(
  deps: Deps,
  scope: ProjectScope,
  input: { path: string; mode: string }
): Promise<FileNode> {
  const tree = await treeOf(deps, scope)
  const path = pathToChange(input.path)
  const node = await tree.chmod(path, Number.parseInt(input.mode, 8))
  await recordChange(deps, scope, 'file.mode_changed', { path, mode: input.mode })
  return fileView(node)
}

export async function extractArchive(
  deps: Deps,
  scope: ProjectScope,
  input: { path: string; to: string }
): Promise<Extracted> {
  const tree = await treeOf(deps, scope)
  const [path, to] = [pathToRead(input.path), directoryToChange(input.to)]
  const { ARCHIVE_MAX_SIZE, ARCHIVE_MAX_ENTRIES } = deps.config
  return treeOperationLimit.run(scope.userId, async () => {
    const free = await requireFreeDisk(deps, Math.min(ARCHIVE_MAX_SIZE, await requireAccountSpace(deps, scope.userId)))
    const write = (room = Infinity) =>
      tree.extract(path, to, { maxBytes: Math.min(free, room), maxEntries: ARCHIVE_MAX_ENTRIES, maxRatio: maxArchiveRatio }) // oxfmt-ignore
    const extracted = await withinVolume(deps, scope.projectId, write, ({ bytes }) => bytes)
    await noteFilesWritten(deps, scope.userId, extracted.bytes)
    await recordChange(deps, scope, 'file.extracted', { path, to, ...extracted })
    return extracted
  })
}

// Deflate reaches 1,032:1; real files stay far below 200:1.
const maxArchiveRatio = 200

export async function searchFiles(deps: Deps, scope: ProjectScope, query: FileSearchQuery): Promise<FileSearch> {
  const tree = await treeOf(deps, scope)
  const path = pathToRead(query.path)
  const found = await treeOperationLimit.run(scope.userId, () =>
    tree.search(path, { name: query.name, limit: query.limit })
  )
  return { nodes: found.nodes.map(fileView), isComplete: found.isComplete }
}
