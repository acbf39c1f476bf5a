import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { BackupRepository, Repository } from '../../src/infra/backup-repository/backup-repository.ts'

export interface MemoryBackupRepository extends BackupRepository {
  /** Snapshot id → path → content. */
  readonly snapshots: Map<string, { tags: readonly string[]; files: Map<string, Buffer> }>
  /** Called before each operation; tests make it fail or wait. */
  before: (operation: keyof BackupRepository, repository: Repository) => Promise<void>
}

/** Keeps files in memory; no owners, modes or links. Of patterns to leave out it knows only names. */
export function createMemoryBackupRepository(): MemoryBackupRepository {
  const snapshots: MemoryBackupRepository['snapshots'] = new Map()
  let count = 0
  const get = (id: string) => {
    const found = snapshots.get(id)
    if (!found) throw new AdapterError('backup-target-unavailable', 'The backup target is unavailable.')
    return found
  }
  const repository: MemoryBackupRepository = {
    snapshots,
    before: async () => {},
    create: (of) => repository.before('create', of),
    async save(of, { stage, roots, tags, onProgress }) {
      await repository.before('save', of)
      const files = new Map<string, Buffer>()
      await readAll(stage, '', files)
      for (const { name, directory, excluded = [] } of roots) {
        const found = new Map<string, Buffer>()
        await readAll(directory, `/${name}`, found)
        for (const [path, content] of found)
          if (!excluded.some((pattern) => path.split('/').includes(pattern))) files.set(path, content)
      }
      const bytes = [...files.values()].reduce((sum, content) => sum + content.length, 0)
      onProgress({ bytesDone: bytes, bytesTotal: bytes })
      const snapshotId = String(++count).padStart(8, '0')
      snapshots.set(snapshotId, { tags, files })
      return { snapshotId, files: files.size, bytes, bytesAdded: bytes }
    },
    async count(of, id) {
      await repository.before('count', of)
      const contents = [...get(id).files.values()]
      return { files: contents.length, bytes: contents.reduce((sum, content) => sum + content.length, 0) }
    },
    async list(of, id, path, limit) {
      await repository.before('list', of)
      const modifiedAt = new Date(0).toISOString()
      return [...get(id).files]
        .filter(([file]) => posix.dirname(file) === path)
        .slice(0, limit + 1)
        .map(([file, content]) => ({ path: file, type: 'FILE', size: content.length, modifiedAt }))
    },
    async checksum(of, id, path) {
      await repository.before('checksum', of)
      return sha256(get(id).files.get(path) ?? '')
    },
    async checksums(of, id, path) {
      await repository.before('checksums', of)
      const below = [...get(id).files].filter(([file]) => file.startsWith(`${path}/`))
      return new Map(below.map(([file, content]) => [file, sha256(content)]))
    },
    async listSnapshots(of) {
      await repository.before('listSnapshots', of)
      return [...snapshots].map(([id, { tags }]) => ({ id, tags, takenAt: new Date(Number(id)) }))
    },
    async restoreSize(of, ids) {
      await repository.before('restoreSize', of)
      return ids.flatMap((id) => [...get(id).files.values()]).reduce((sum, { length }) => sum + length, 0)
    },
    async restore(of, id, { path, directory }) {
      await repository.before('restore', of)
      for (const [file, content] of get(id).files) {
        if (file !== path && !file.startsWith(`${path}/`)) continue
        await mkdir(dirname(join(directory, file)), { recursive: true })
        await writeFile(join(directory, file), content)
      }
    },
    async retain(of) {
      await repository.before('retain', of)
      return []
    },
    async forget(of, ids) {
      await repository.before('forget', of)
      for (const id of ids) snapshots.delete(id)
    },
    cleanUp: async () => {},
    maintain: (of) => repository.before('maintain', of)
  }
  return repository
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

async function readAll(directory: string, at: string, into: Map<string, Buffer>): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    if ((await stat(path)).isDirectory()) await readAll(path, `${at}/${name}`, into)
    else into.set(`${at}/${name}`, await readFile(path))
  }
}
