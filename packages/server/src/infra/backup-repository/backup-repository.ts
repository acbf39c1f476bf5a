/** Where a repository is, with its secrets: keep it out of logs. */
export type RepositoryPlace =
  | { kind: 'FOLDER'; path: string }
  | { kind: 'SFTP'; host: string; port: number; username: string; path: string; privateKey: string; hostKey: string }
  | {
      kind: 'S3'
      endpoint: string
      bucket: string
      prefix: string
      accessKeyId: string
      secretAccessKey: string
      caCertificate?: string | undefined
    }
  | {
      kind: 'REST'
      url: string
      username?: string | undefined
      password?: string | undefined
      caCertificate?: string | undefined
    }

export interface Repository {
  /** Names the cache directory. */
  id: string
  place: RepositoryPlace
  /** Encrypts the repository. */
  key: string
}

/** A directory of this machine and its name at the top of the snapshot. */
export interface BackupRoot {
  name: string
  directory: string
  /** Patterns of what is skipped, as the contract describes them (`ProjectBackupSettings.excluded`). */
  excluded?: readonly string[]
}

export interface SaveOptions {
  /** Directory of the panel with the other files of the snapshot. Roots are mounted into it in a private namespace. */
  stage: string
  roots: readonly BackupRoot[]
  tags: readonly string[]
  uploadLimitKib?: number | undefined
  signal: AbortSignal
  onProgress(progress: { bytesDone: number; bytesTotal: number }): void
}

export interface SavedSnapshot {
  snapshotId: string
  files: number
  bytes: number
  bytesAdded: number
}

export interface SnapshotEntry {
  path: string
  type: 'FILE' | 'DIRECTORY' | 'LINK' | 'OTHER'
  size: number
  modifiedAt: string
}

export interface Snapshot {
  id: string
  takenAt: Date
  tags: readonly string[]
}

export interface Retention {
  keepDaily: number
  keepWeekly: number
  keepMonthly: number
}

/**
 * Encrypted, deduplicated backups on another disk or machine. Calls of unknown length end after some minutes without
 * progress, all others by a time limit. They reject with AdapterError
 * backup-target-unavailable, with the program's own words as its reason.
 */
export interface BackupRepository {
  /** Idempotent: accepts a repository that exists with this key. */
  create(repository: Repository): Promise<void>
  /** Rejects if a file could not be read, except for files that disappeared meanwhile; no snapshot stays then. */
  save(repository: Repository, options: SaveOptions): Promise<SavedSnapshot>
  /** Reads names and sizes of all regular files back from the target and counts them. */
  count(repository: Repository, snapshotId: string, signal: AbortSignal): Promise<{ files: number; bytes: number }>
  /** Entries directly in a directory, at most `limit` + 1. An unknown path has none. */
  list(repository: Repository, snapshotId: string, path: string, limit: number): Promise<SnapshotEntry[]>
  /** SHA-256 in hex of a file, read back from the target. */
  checksum(repository: Repository, snapshotId: string, path: string, signal: AbortSignal): Promise<string>
  /** SHA-256 in hex of each regular file below a directory, by its path in the snapshot, read back in one call. */
  checksums(
    repository: Repository,
    snapshotId: string,
    directory: string,
    signal: AbortSignal
  ): Promise<ReadonlyMap<string, string>>
  /** All snapshots, oldest first. */
  listSnapshots(repository: Repository, signal: AbortSignal): Promise<Snapshot[]>
  /** Bytes that restoring these snapshots writes. */
  restoreSize(repository: Repository, snapshotIds: readonly string[], signal: AbortSignal): Promise<number>
  /** Writes `path` (empty: all) and everything below it into `directory`, with owner, mode, links and times. */
  restore(
    repository: Repository,
    snapshotId: string,
    options: { path: string; directory: string; signal: AbortSignal }
  ): Promise<void>
  /** Forgets snapshots by policy, for each set of equal tags alone. Resolves with the ids of those that went. */
  retain(repository: Repository, retention: Retention, signal: AbortSignal): Promise<string[]>
  forget(repository: Repository, snapshotIds: readonly string[]): Promise<void>
  /** Removes what killed processes left. No other call may be running. */
  cleanUp(): Promise<void>
  /** Removes data that no snapshot needs, then checks the structure and `dataPart` (such as 3/30) of all data. */
  maintain(repository: Repository, dataPart: string, signal: AbortSignal): Promise<void>
}
