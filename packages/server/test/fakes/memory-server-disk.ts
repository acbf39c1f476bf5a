import { dirname } from 'node:path'
import type { DiskEntry, FileSystem, ServerDisk } from '../../src/infra/server-disk/server-disk.ts'

export interface MemoryServerDisk extends ServerDisk {
  /** By mount point; the one with the longest matching path counts. */
  readonly fileSystems: Map<string, FileSystem>
  /** Bytes of a directory without what is listed for directories below it. */
  readonly sizes: Map<string, number>
  readonly entries: DiskEntry[]
  readonly emptied: string[]
}

const gibibyte = 2 ** 30

export function createMemoryServerDisk(): MemoryServerDisk {
  const isBelow = (path: string, above: string) => above === '/' || path === above || path.startsWith(`${above}/`)
  const disk: MemoryServerDisk = {
    fileSystems: new Map([
      [
        '/',
        { device: 1, mountPoint: '/', totalBytes: 100 * gibibyte, usedBytes: 40 * gibibyte, freeBytes: 55 * gibibyte }
      ]
    ]),
    sizes: new Map(),
    entries: [],
    emptied: [],
    async findFileSystem(path) {
      const [deepest] = [...disk.fileSystems.keys()]
        .filter((mountPoint) => isBelow(path, mountPoint))
        .toSorted((a, b) => b.length - a.length)
      return deepest === undefined ? undefined : disk.fileSystems.get(deepest)
    },
    measure: async (directories) => new Map(directories.map((path) => [path, disk.sizes.get(path) ?? 0])),
    list: async (directory) => disk.entries.filter(({ path }) => dirname(path) === directory),
    async remove(path) {
      for (const entry of disk.entries.filter((each) => isBelow(each.path, path)))
        disk.entries.splice(disk.entries.indexOf(entry), 1)
      disk.sizes.delete(path)
    },
    async empty(path) {
      disk.emptied.push(path)
    }
  }
  return disk
}
