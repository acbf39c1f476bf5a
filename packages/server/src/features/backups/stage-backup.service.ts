import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { BackupRoot, Repository, SavedSnapshot } from '../../infra/backup-repository/backup-repository.ts'
import { makeStagingDirectory, removeStaged, writeStagedText } from '../../infra/staging/staging.ts'
import { backupStaging } from '../../process/paths.ts'

type Deps = Pick<Dependencies, 'backupRepository' | 'config'>

export interface BackupWork {
  repository: Repository
  uploadLimitKib: number | null
  signal: AbortSignal
  onProgress(progress: { bytesDone: number; bytesTotal: number }): void
}

/** What a backup consists of, besides `manifest.json`. */
interface Contents {
  manifest: object
  /** Directories that become part of the snapshot without a copy. */
  roots: readonly BackupRoot[]
  /** SHA-256 of files in the stage, by their path in the snapshot. */
  checksums: ReadonlyMap<string, string>
}

export const manifestName = 'manifest.json'

/**
 * Saves a directory that `fill` prepares, and resolves only after the snapshot was read back. Its path stays the same, so
 * that restic finds the previous snapshot and reads only what changed.
 */
export async function backUpStage<Filled extends Contents>(
  deps: Deps,
  { name, tags, ...work }: BackupWork & { name: string; tags: readonly string[] },
  fill: (stage: string) => Promise<Filled>
): Promise<{ saved: SavedSnapshot; filled: Filled }> {
  const { repository, signal } = work
  const stage = join(backupStaging(deps.config), `${repository.id}-${name}`)
  await removeStaged(stage)
  await makeStagingDirectory(stage)
  try {
    const filled = await fill(stage)
    for (const { name } of filled.roots) await makeStagingDirectory(join(stage, name))
    const manifest = JSON.stringify(filled.manifest)
    await writeStagedText(join(stage, manifestName), manifest)
    const saved = await deps.backupRepository.save(repository, {
      stage,
      roots: filled.roots,
      tags,
      uploadLimitKib: work.uploadLimitKib ?? undefined,
      signal,
      onProgress: work.onProgress
    })
    const expected = new Map(filled.checksums)
    expected.set(`/${manifestName}`, createHash('sha256').update(manifest).digest('hex'))
    await readBack(deps, repository, saved, expected, signal)
    return { saved, filled }
  } finally {
    await removeStaged(stage)
  }
}

/** Deletes the snapshot if it cannot be read back. */
async function readBack(
  { backupRepository }: Deps,
  repository: Repository,
  { snapshotId, files }: SavedSnapshot,
  expected: ReadonlyMap<string, string>,
  signal: AbortSignal
): Promise<void> {
  const problem = await findDifference()
  if (problem === undefined) return
  await backupRepository.forget(repository, [snapshotId])
  throw new AdapterError('backup-target-unavailable', 'The backup could not be read back.', { reason: problem })

  async function findDifference(): Promise<string | undefined> {
    const listed = await backupRepository.count(repository, snapshotId, signal)
    if (listed.files !== files) return `${files} files were written, ${listed.files} are listed`
    const found = await readChecksums()
    for (const [path, checksum] of expected) if (found.get(path) !== checksum) return `${path} has a different checksum`
    return undefined
  }

  /** Each directory in one call, because every call derives the key again, which takes a second. */
  async function readChecksums(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for (const place of new Set([...expected.keys()].map(topOf))) {
      if (expected.has(place)) found.set(place, await backupRepository.checksum(repository, snapshotId, place, signal))
      else
        for (const [path, checksum] of await backupRepository.checksums(repository, snapshotId, place, signal))
          found.set(path, checksum)
    }
    return found
  }
}

/** The file or directory at the top of the snapshot. */
const topOf = (path: string): string => `/${path.split('/')[1]!}`
