import { lstat, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { directorySizes } from '../disk/directory-sizes.ts'
import { statIfExists } from '../disk/stat-if-exists.ts'
import { ProcessError, type Run } from '../process/process.ts'
import type { DiskEntry, FileSystem, ServerDisk } from './server-disk.ts'

const limits = { timeoutMs: 10_000 }
const blockBytes = 512 // stat(2): st_blocks counts these.

export function createLocalServerDisk({ run }: { run: Run }): ServerDisk {
  return {
    // By a program with a time limit: a network file system that hangs must not block a thread of the panel.
    async findFileSystem(path) {
      try {
        const [place, sizes] = await Promise.all([
          run(['stat', '--printf=%d\t%m', '--', path], limits),
          run(['stat', '--file-system', '--printf=%b\t%f\t%a\t%S', '--', path], limits)
        ])
        return fileSystemOf(place.stdout, sizes.stdout)
      } catch (error) {
        if (error instanceof ProcessError) return undefined
        throw error
      }
    },
    measure: (directories) => directorySizes(run, directories),
    async list(directory) {
      if (!(await statIfExists(directory))) return []
      const entries = await Promise.all((await readdir(directory)).map((name) => entryOf(directory, name)))
      return entries.filter((entry) => entry !== undefined)
    },
    remove: (path) => rm(path, { recursive: true, force: true }),
    async empty(path) {
      if ((await stat(path)).isFile()) await truncate(path, 0)
    }
  }
}

function fileSystemOf(place: string, sizes: string): FileSystem {
  const [device, ...mountPoint] = place.split('\t')
  const [blocks, free, available, blockSize] = sizes.split('\t').map(Number) as [number, number, number, number]
  return {
    device: Number(device),
    mountPoint: mountPoint.join('\t'),
    totalBytes: blocks * blockSize,
    usedBytes: (blocks - free) * blockSize,
    freeBytes: available * blockSize
  }
}

async function entryOf(directory: string, name: string): Promise<DiskEntry | undefined> {
  const path = join(directory, name)
  try {
    const found = await lstat(path)
    return {
      name,
      path,
      bytes: found.blocks * blockBytes,
      modifiedAt: found.mtime,
      isDirectory: found.isDirectory()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
