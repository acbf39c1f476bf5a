import type { Stats } from 'node:fs'
import { type FileHandle, lstat, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { at } from './directory.ts'
import { alreadyExists, undefinedIfMissing, pathProtected } from './file-error.ts'
import type { ArchiveLimits, Unpacked } from './file-store.ts'
import { openRegularFile } from './open-file.ts'
import { atResolvedPath } from './resolve.ts'
import { inStagedDirectory, putNewDirectory, putNewFile } from './staging.ts'
import type { TreeContext } from './tree-context.ts'
import { directoryAt, namesOf } from './tree-path.ts'
import { unpackArchive } from './unpack-archive.ts'

/** Unpacks into the staging area, then moves each top-level entry atomically; all of them or none. */
export function extract(context: TreeContext, path: string, to: string, limits: ArchiveLimits): Promise<Unpacked> {
  const { root, uid, staging, isProtected } = context
  const assertAccepted = (names: readonly string[]) => {
    const refused = names.find(isProtected)
    if (refused !== undefined) throw pathProtected(refused)
  }
  return atResolvedPath(root, namesOf(to), { followLast: true }, async (resolved) => {
    const target = directoryAt(resolved)
    const archive = await atResolvedPath(root, namesOf(path), { followLast: true }, openRegularFile)
    try {
      return await inStagedDirectory(staging, async (directory) => {
        const unpacked = await unpackArchive(archive, { directory, limits, uid, assertAccepted })
        await putAll(directory, target)
        return unpacked
      })
    } finally {
      await archive.close()
    }
  })
}

async function putAll(stagedPath: string, target: FileHandle): Promise<void> {
  const names = await readdir(stagedPath)
  for (const name of names) if (await undefinedIfMissing(lstat(at(target, name)))) throw alreadyExists()
  const put: { name: string; stats: Stats }[] = []
  try {
    for (const name of names) {
      const path = join(stagedPath, name)
      const stats = await lstat(path)
      await (stats.isDirectory() ? putNewDirectory : putNewFile)(path, target, name)
      put.push({ name, stats })
      if (stats.isFile()) await unlink(path)
    }
  } catch (error) {
    for (const { name, stats } of put) await undoPut(target, name, stats, join(stagedPath, name))
    throw error
  }
}

async function undoPut(target: FileHandle, name: string, stats: Stats, path: string): Promise<void> {
  const now = await undefinedIfMissing(lstat(at(target, name)))
  if (now?.ino === stats.ino && now.dev === stats.dev) await undefinedIfMissing(rename(at(target, name), path))
}
