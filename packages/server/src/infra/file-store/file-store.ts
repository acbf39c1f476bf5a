import type { Readable } from 'node:stream'

export { isProtectedName } from './protected-name.policy.ts'

/** An entry of a tree. Sockets, devices and the like are listed as empty files and cannot be read. */
export interface FoundFile {
  name: string
  /** Relative to the root of the tree, joined by `/`; '' is the root. */
  path: string
  type: 'dir' | 'file'
  size: number
  mtime: Date
  mode: number
}

export interface TreeOptions {
  /** Absolute path, trusted: links in it are followed. Links inside the tree never lead out of it. */
  root: string
  uid: number
  /**
   * `secrets`: refuses to create, change or remove files with secrets (path-protected; protected-name.policy.ts). Checks
   * the last name of a path, as requested and as resolved, and everything below a directory that is removed, moved or
   * copied. Reading is allowed, also as the source of a copy under another name.
   */
  protects: 'secrets' | 'nothing'
}

export interface ArchiveLimits {
  maxBytes: number
  maxEntries: number
  /** Unpacked bytes per packed byte, after the first MiB. */
  maxRatio: number
}

export interface Unpacked {
  files: number
  directories: number
  bytes: number
}

interface SkippedPaths {
  paths: string[]
  prefixes: string[]
}

export interface PackOptions {
  skip?: SkippedPaths
  links?: 'kept' | 'resolved'
}

export interface OpenFile {
  file: FoundFile
  /** `end` is inclusive, as in a Range header. Closes the file when it ends or is destroyed. */
  stream(range?: { start: number; end: number }): Readable
  close(): Promise<void>
}

/**
 * A tenant's files, which the tenant's processes change at the same time. Paths are resolved name by name on open
 * directories and never leave the root: a link swapped in during a call makes the call fail, not escape. A path is
 * names joined by `/` without `.`, `..`, empty names or NUL; anything else is a TypeError.
 * Rejects with AdapterError: file-not-found; path-forbidden (a link leaves the root); path-protected; file-changed;
 * file-exists; not-a-file (also FIFOs, devices, sockets); not-a-directory; too-large; archive-invalid; disk-full;
 * too-many-open-files; name-too-long; directory-into-itself.
 */
export interface FileTree {
  /**
   * Sorted by code units; with `depth` above 1, a directory is followed by its content. `next`, relative to `path`, is
   * `after` for the next page. Leaves out names that are not UTF-8. Lists links to directories but does not enter them.
   */
  list(
    path: string,
    options: { depth: number; limit: number; after?: string }
  ): Promise<{ nodes: FoundFile[]; next: string | null }>
  stat(path: string): Promise<FoundFile>
  open(path: string): Promise<OpenFile>
  /**
   * Puts a complete file in place atomically; if the source fails, the existing file stays. `create` rejects any
   * existing entry, also links; `replace` rejects a directory, follows a link and keeps the mode of the replaced file.
   * Missing parents are file-not-found; more than `maxBytes` is too-large. Path errors are reported before the source
   * is read; a source that was started is read to its end or destroyed. Data is synced to disk before the rename. With
   * `ifMatch` (a contentHash): file-changed if the content differs or is missing. Checked right before the rename,
   * serialized with the panel's other writes; a tenant's process can still write during the rename itself.
   */
  write(
    path: string,
    source: string | Buffer | Readable,
    options: { mode: 'create' | 'replace'; maxBytes?: number; ifMatch?: string }
  ): Promise<FoundFile>
  mkdir(path: string): Promise<FoundFile>
  remove(path: string): Promise<void>
  move(from: string, to: string): Promise<FoundFile>
  /** Skips sockets, devices and FIFOs. Rejects if `to` exists. too-large above 16 GiB of holes in sparse files. */
  copy(from: string, to: string): Promise<FoundFile>
  chmod(path: string, mode: number): Promise<FoundFile>
  search(path: string, options: { name: string; limit: number }): Promise<{ nodes: FoundFile[]; isComplete: boolean }>
  /**
   * Streams the directory as tar (POSIX pax) with relative names. Leaves out links that leave the tree, sockets,
   * devices, FIFOs, and `skip`. `links: 'resolved'` packs the target file in place of a link
   * and leaves out links to directories. Like tar, cuts or zero-pads a file that changes its size.
   */
  pack(path: string, options?: PackOptions): Promise<Readable>
  /**
   * Unpacks a zip, tar or tar.gz of the tree into one of its directories; nothing appears until everything is checked.
   * Rejects the whole archive for absolute names, `..`, links, devices, duplicate names, protected names, and existing
   * top-level names (directories too). Files get mode 0644 or 0755, directories 0755. archive-invalid, also above
   * `maxRatio`; too-large above the other limits.
   */
  extract(path: string, to: string, limits: ArchiveLimits): Promise<Unpacked>
}

export interface CaptureOptions {
  uid: number
  /** An earlier copy: files that are equal in both are hard links, so that they take space once. */
  like?: string | undefined
  /** For what is not linked. */
  maxBytes: number
  maxFiles: number
  signal?: AbortSignal | undefined
}

export interface Captured {
  files: number
  bytes: number
  /** Of the files that are not linked. */
  newBytes: number
}

export interface FileStore {
  tree(options: TreeOptions): FileTree
  /**
   * Copies a directory of a tenant, as `FileTree.copy` does, to a new one that only the panel can access. `from` is a
   * trusted path. On rejection (too-large, disk-full), the caller removes what was copied.
   */
  capture(from: string, directory: string, options: CaptureOptions): Promise<Captured>
  /**
   * Unpacks a zip, tar or tar.gz into an empty directory outside of any tree, with the checks and limits of
   * FileTree.extract. Both paths must be accessible to the panel only. Files get mode 0644 or 0755, directories 0755,
   * owner `uid`. On rejection, the caller removes what was unpacked.
   */
  unpack(archivePath: string, directory: string, limits: ArchiveLimits, options: { uid: number }): Promise<Unpacked>
  /** Removes staged files of previous processes. Call when no other process uses the staging directory. */
  sweep(): Promise<void>
}
