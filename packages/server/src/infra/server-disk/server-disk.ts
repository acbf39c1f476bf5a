export interface FileSystem {
  /** Equal for all directories on it. */
  device: number
  mountPoint: string
  totalBytes: number
  usedBytes: number
  /** For programs other than root. */
  freeBytes: number
}

export interface DiskEntry {
  name: string
  path: string
  /** On disk; of a directory only its own list of entries. */
  bytes: number
  modifiedAt: Date
  isDirectory: boolean
}

/** The disks of this machine, as root sees them. Paths are the panel's own, never a tenant's. */
export interface ServerDisk {
  /** Undefined if the path does not exist, or its file system does not answer. */
  findFileSystem(path: string): Promise<FileSystem | undefined>
  /** See `directorySizes`. At the lowest priority, and ended after ten minutes. */
  measure(directories: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Entries directly in a directory; none if it does not exist. */
  list(directory: string): Promise<readonly DiskEntry[]>
  /** Only below directories that no tenant can write to. */
  remove(path: string): Promise<void>
  /** Truncates a file without replacing it, so that the program that appends to it is not disturbed. */
  empty(path: string): Promise<void>
}
