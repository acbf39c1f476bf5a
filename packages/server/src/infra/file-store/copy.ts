import { type FileHandle, lchown, lstat, mkdir, symlink } from 'node:fs/promises'
import {
  at,
  type Entry,
  type Name,
  openDirectory,
  openEntry,
  withOwnDirectory,
  openParent,
  readLinkIfThere,
  self,
  textOf
} from './directory.ts'
import { type CopyContent, createContentCopier } from './copy-content.ts'
import { undefinedIfMissing, notAFile, pathProtected } from './file-error.ts'
import type { FoundFile } from './file-store.ts'
import { foundFile } from './found-file.ts'
import { betweenResolvedPaths } from './move.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { giveDirectory, inStagedDirectory, isRoot, putNewDirectory, putNewFile } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { changeable, namesOf } from './tree-path.ts'
import { newEntriesOf, walk } from './walk.ts'

/** Copies into the staging area first, then puts the copy in place atomically. */
export function copy(context: TreeContext, from: string, to: string): Promise<FoundFile> {
  return betweenResolvedPaths(context, from, to, async (source, target) => {
    const { entry } = source
    const isDirectory = entry.stats.isDirectory()
    if (!isDirectory && !entry.stats.isFile() && !entry.stats.isSymbolicLink()) throw notAFile()
    return inStagedDirectory(context.staging, (staged) =>
      withOwnDirectory(staged, async (destination) => {
        const { directory, name } = changeable(source)
        const copyContent = createContentCopier(context.uid)
        if (isDirectory) await copyDirectory({ ...context, copyContent }, entry.handle, destination, 'copy')
        else await copyEntry({ ...context, copyContent }, { entry, directory, name }, destination, 'copy')
        const stats = await lstat(at(destination, 'copy'))
        await (isDirectory ? putNewDirectory : putNewFile)(at(destination, 'copy'), target.directory, target.name)
        return foundFile(namesOf(to), stats)
      })
    )
  })
}

interface Copying extends Pick<TreeContext, 'uid' | 'isProtected'> {
  copyContent: CopyContent
}

export async function copyDirectory(
  copying: Copying,
  source: FileHandle,
  parent: FileHandle,
  name: Name
): Promise<void> {
  const { uid, isProtected } = copying
  let destination = await makeAndOpen(parent, name)
  const modes = [(await source.stat()).mode]
  const names: Buffer[] = []
  const leave = async () => giveDirectory(self(destination), uid, modes.pop()!)
  try {
    for await (const step of walk(source)) {
      for (const { name } of newEntriesOf(step)) assertAllowed(name, isProtected)
      if (step.type === 'entries') {
        const { directory, entries } = step
        await mapConcurrently(entries, (entry) =>
          copyIfThere(copying, { directory, name: entry.name, below: names }, destination)
        )
        continue
      }
      const last = destination
      if (step.type === 'enter') {
        modes.push((await step.directory.stat()).mode)
        names.push(step.name)
        destination = await makeAndOpen(last, step.name)
      } else {
        // Set the mode when leaving: a non-root panel could not write into the directory afterwards.
        await leave()
        names.pop()
        destination = await openParent(last)
      }
      await last.close()
    }
    await leave()
  } finally {
    await destination.close()
  }
}

async function copyIfThere(
  copying: Copying,
  source: { directory: FileHandle; name: Buffer; below: readonly Buffer[] },
  destination: FileHandle
): Promise<void> {
  const entry = await undefinedIfMissing(openEntry(source.directory, source.name))
  if (!entry) return
  try {
    await copyEntry(copying, { ...source, entry }, destination, source.name)
  } finally {
    await entry.handle.close()
  }
}

async function copyEntry(
  { uid, copyContent }: Copying,
  source: { entry: Entry; directory: FileHandle; name: Name; below?: readonly Buffer[] },
  destination: FileHandle,
  name: Name
): Promise<void> {
  const path = at(destination, name)
  if (source.entry.stats.isFile())
    return copyContent(source.entry, path, [...(source.below ?? []), Buffer.from(source.name)])
  if (!source.entry.stats.isSymbolicLink()) return
  const linkName = await readLinkIfThere(source.directory, source.name)
  if (!linkName) return
  await symlink(linkName, path)
  if (isRoot()) await lchown(path, uid, uid)
}

async function makeAndOpen(parent: FileHandle, name: Name): Promise<FileHandle> {
  await mkdir(at(parent, name), { mode: 0o700 })
  return openDirectory(parent, name)
}

function assertAllowed(name: Buffer, isProtected: (name: string) => boolean): void {
  const text = textOf(name)
  if (text !== undefined && isProtected(text)) throw pathProtected(text)
}
