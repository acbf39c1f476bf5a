import { type FileHandle, open } from 'node:fs/promises'
import { capture } from './capture.ts'
import { changeMode } from './change-mode.ts'
import { copy } from './copy.ts'
import { withOwnDirectory } from './directory.ts'
import { extract } from './extract.ts'
import { notFound, translated } from './file-error.ts'
import type { FileStore, FileTree, FoundFile, PackOptions, TreeOptions, Unpacked } from './file-store.ts'
import { foundFile } from './found-file.ts'
import { list } from './list.ts'
import { makeDirectory } from './make-directory.ts'
import { move } from './move.ts'
import { openFile } from './open-file.ts'
import { pack } from './pack.ts'
import { isProtectedName } from './protected-name.policy.ts'
import { remove } from './remove.ts'
import { atResolvedPath } from './resolve.ts'
import { search } from './search.ts'
import { createStaging, type Staging } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { directoryAt, namesOf } from './tree-path.ts'
import { unpackArchive } from './unpack-archive.ts'
import type { UnpackOptions } from './unpacker.ts'
import { writeFile } from './write-file.ts'

/** @param options.stagingDirectory absolute, on the file system of the trees; created if missing */
export function createDiskFileStore(options: { stagingDirectory: string }): FileStore {
  const staging = createStaging(options.stagingDirectory)
  return {
    tree: (tree) => createTree(tree, staging),
    capture: (from, directory, options) => translated(capture(from, directory, options)),
    unpack: (archivePath, directory, limits, { uid }) =>
      translated(unpackOwn(archivePath, { directory, limits, uid, assertAccepted: () => {} })),
    sweep: () => translated(staging.sweep())
  }
}

function createTree({ root: rootPath, uid, protects }: TreeOptions, staging: Staging): FileTree {
  const isProtected = protects === 'secrets' ? isProtectedName : () => false
  const inRoot = <T>(use: (root: FileHandle) => Promise<T>) => translated(withOwnDirectory(rootPath, use))
  const change = <T>(use: (context: TreeContext) => Promise<T>) =>
    inRoot((root) => use({ root, uid, isProtected, staging }))
  return {
    list: (path, options) => inRoot((root) => list(root, String(uid), path, options)),
    stat: (path) => inRoot((root) => stat(root, path)),
    open: (path) => inRoot((root) => openFile(root, path)),
    search: (path, options) => inRoot((root) => search(root, path, options)),
    pack: (path, { skip, links = 'kept' } = {}) =>
      inRoot(async (root) => {
        await assertDirectory(root, path)
        return pack({ rootPath, path, skip: (name) => isSkipped(name, skip), links })
      }),
    write: (path, source, options) => change((context) => writeFile(context, path, source, options)),
    mkdir: (path) => change((context) => makeDirectory(context, path)),
    remove: (path) => change((context) => remove(context, path)),
    move: (from, to) => change((context) => move(context, from, to)),
    copy: (from, to) => change((context) => copy(context, from, to)),
    chmod: (path, mode) => change((context) => changeMode(context, path, mode)),
    extract: (path, to, limits) => change((context) => extract(context, path, to, limits))
  }
}

const isSkipped = (name: string, skip: PackOptions['skip']): boolean =>
  skip !== undefined && (skip.paths.includes(name) || skip.prefixes.some((prefix) => name.startsWith(prefix)))

const stat = (root: FileHandle, path: string): Promise<FoundFile> =>
  atResolvedPath(root, namesOf(path), { followLast: true }, async ({ entry }) => {
    if (!entry) throw notFound()
    return foundFile(namesOf(path), entry.stats)
  })

const assertDirectory = (root: FileHandle, path: string): Promise<void> =>
  atResolvedPath(root, namesOf(path), { followLast: true }, async (resolved) => {
    directoryAt(resolved)
  })

async function unpackOwn(archivePath: string, options: UnpackOptions): Promise<Unpacked> {
  const archive = await open(archivePath)
  try {
    return await unpackArchive(archive, options)
  } finally {
    await archive.close()
  }
}
