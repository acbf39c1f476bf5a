import type { Readable } from 'node:stream'

/** An entry of a tree. What is neither file nor directory (a socket, a device) is listed as an empty file and cannot be read. */
export interface FoundFile {
  name: string
  /** Relative to the root of the tree: names joined by `/`; '' is the root itself. */
  path: string
  type: 'dir' | 'file'
  /** Bytes; 0 of a directory. */
  size: number
  mtime: Date
  /** Permission bits, the last nine. */
  mode: number
}

export interface TreeOptions {
  /** Absolute path of the root, of our own making: links in this path are followed, in the tree none leads out. */
  root: string
  /** Owner and group of all that is made. */
  uid: number
  /**
   * Names that nobody may make, change or remove through this tree: of the last name of a path as it was asked for and as it resolves, and
   * of everything below a directory that is removed, renamed, moved or copied. Then path-protected. Reading them is free, also as the
   * source of a copy that gets another name.
   */
  isProtected: (name: string) => boolean
}

export interface ArchiveLimits {
  /** Of all files together, unpacked. */
  maxBytes: number
  maxEntries: number
  /** Unpacked bytes per packed byte, counted from the first MiB on. */
  maxRatio: number
}

/** What came out of an archive; directories that only the paths of files name are counted too. */
export interface Unpacked {
  files: number
  directories: number
  /** Of all files together. */
  bytes: number
}

interface PackOptions {
  skip?: (path: string) => boolean
  links?: 'kept' | 'resolved'
}

/** An open file, which it stays whatever happens to its name. */
export interface OpenFile {
  file: FoundFile
  /** `end` is inclusive, as in a Range header. Closes the file when it ends or is destroyed. */
  stream(range?: { start: number; end: number }): Readable
  close(): Promise<void>
}

/**
 * A tenant's tree of files, which programs of the tenant change at the same time. Paths are resolved one name at a time on open
 * directories, never followed out of the root: a link that is swapped in during a call makes the call fail, not escape. A path is names
 * joined by `/`, without `.`, `..`, empty names or NUL; anything else is a TypeError.
 *
 * Rejects with AdapterError: file-not-found; path-forbidden where a link leads out of the root; path-protected; file-changed; file-exists; not-a-file
 * (also a FIFO, a device, a socket); not-a-directory; too-large; archive-invalid; disk-full; too-many-open-files; name-too-long for the
 * file system; directory-into-itself.
 */
export interface FileTree {
  /**
   * In code unit order of the names; with `depth` above 1, what is in a directory follows it. `next`, relative to `path`, is `after` of the
   * next page. Names that are not UTF-8 are left out: no path could name them. Links to directories are listed, not entered.
   */
  list(
    path: string,
    options: { depth: number; limit: number; after?: string }
  ): Promise<{ nodes: FoundFile[]; next: string | null }>
  stat(path: string): Promise<FoundFile>
  open(path: string): Promise<OpenFile>
  /**
   * Puts a whole file in place, at once: until then, and when the source fails or is cut off, what was there stays. `create` refuses
   * whatever is there, links too; `replace` refuses a directory, follows a link and keeps the mode of a file that it replaces.
   * More than `maxBytes` is too-large. Missing parent directories are file-not-found. What is refused for its path is refused before
   * the source is touched; a source that has been begun is read to its end or destroyed. The content is on disk before it gets its name.
   * With `ifMatch`, a contentHash, file-changed where another content is there, or none: looked at when all is ready and right before it
   * gets its name, and no other write of the panel comes between. A program of the tenant can, for as long as one rename takes.
   */
  write(
    path: string,
    source: string | Buffer | Readable,
    options: { mode: 'create' | 'replace'; maxBytes?: number; ifMatch?: string }
  ): Promise<FoundFile>
  /** Makes one directory; its parent must be there. */
  mkdir(path: string): Promise<FoundFile>
  /** A link goes alone, a directory with all that is in it. */
  remove(path: string): Promise<void>
  /** Renames or moves; refuses whatever is at `to`. */
  move(from: string, to: string): Promise<FoundFile>
  /**
   * A link is copied as a link; sockets, devices and FIFOs are left out. Refuses whatever is at `to`. Takes a half-made copy away.
   * too-large above 16 GiB of holes in files, which cost their owner nothing.
   */
  copy(from: string, to: string): Promise<FoundFile>
  chmod(path: string, mode: number): Promise<FoundFile>
  /** Entries below `path` whose name contains `name` in any case; looks at a bounded number of them. */
  search(path: string, options: { name: string; limit: number }): Promise<{ nodes: FoundFile[]; isComplete: boolean }>
  /**
   * The directory as tar (POSIX pax), entries relative to it, as it is read. Links that lead out of the tree, sockets, devices and FIFOs
   * are left out; `skip` leaves out more, by path. With `links: 'resolved'` the file that a link leads to is packed in its place, and links
   * to directories are left out. A file that changes its size meanwhile is cut or padded with zeros to the size that its header says, as
   * tar does.
   */
  pack(path: string, options?: PackOptions): Promise<Readable>
  /**
   * Unpacks a zip, tar or tar.gz of the tree into a directory of it, by way of the staging area: nothing appears before all of it has been
   * checked. Absolute names, `..`, links, devices, names twice, protected names, and topmost names that are there already, directories too,
   * refuse the whole. Files get mode 0644 or 0755, directories 0755. archive-invalid, also above `maxRatio`; too-large above the
   * other limits.
   */
  extract(path: string, to: string, limits: ArchiveLimits): Promise<Unpacked>
}

export interface FileStore {
  tree(options: TreeOptions): FileTree
  /**
   * Unpacks a zip, tar or tar.gz outside of any tree, with the checks and limits of FileTree.extract, into an empty directory. Both paths
   * are the panel's own, in a directory that no one else reaches. Files get mode 0644 or 0755, directories 0755, all of them `uid`.
   * Where it rejects, the caller takes away what is in the directory by then.
   * @param options.refuse a reason to refuse the whole archive for this path in it, or undefined
   */
  unpack(
    archivePath: string,
    directory: string,
    limits: ArchiveLimits,
    options: { uid: number; refuse?: (path: string) => string | undefined }
  ): Promise<Unpacked>
  /** Removes what uploads that were cut off by the end of a previous process have left. Call it when no other one works in it. */
  sweep(): Promise<void>
}
