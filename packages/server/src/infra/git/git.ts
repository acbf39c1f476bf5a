import type { Readable } from 'node:stream'

/** How to access a repository. Built by features/git from the project, never directly from request text. */
export interface GitRemote {
  /** After GIT_MIRRORS: https://…, http://… or ssh://…, with no user text beyond host and path. */
  url: string
  privateKeyPath: string | undefined
}

export interface Commit {
  hash: string
  /** Subject and body, at most 2,000 characters. */
  message: string
}

export interface RemoteBranches {
  /** Usable branch names in alphabetical order, at most 1,000. */
  names: readonly string[]
  head: string | undefined
}

export interface CommitRange {
  commits: readonly CommitLine[]
  /** Whether the list is complete: `from` was found and no commits were cut. */
  isComplete: boolean
}

export interface CommitLine {
  hash: string
  subject: string
  author: string
  at: Date
}

export interface TreeEntry {
  path: string
  kind: 'file' | 'symlink' | 'submodule'
  sizeBytes: number
}

/**
 * A bare repository per project. Nothing is ever checked out on the host: files are read as git objects, and builds get
 * a tar stream of one commit, so links and hooks have no effect. Rejects with AdapterError repository-unavailable and
 * git's reason, or with the signal's reason. Calls for one directory must not overlap.
 */
export interface Git {
  fetchBranch(directory: string, remote: GitRemote, branch: string, options: GitOptions): Promise<Commit>
  /** Fetches one commit of the branch. Rejects if it is neither the head nor one of its ancestors. */
  fetchCommit(directory: string, remote: GitRemote, branch: string, hash: string, options: GitOptions): Promise<Commit>
  /** Lists branches. Rejects with AdapterError repository-private if a (different) deploy key may be needed. */
  listBranches(directory: string, remote: GitRemote, options: GitOptions): Promise<RemoteBranches>
  /** At most 50 commits. Use a separate repository: it fetches commits without trees if the server can. */
  listCommits(
    directory: string,
    remote: GitRemote,
    range: { branch: string; from: string; to: string },
    options: GitOptions
  ): Promise<CommitRange>
  /** Writes an Ed25519 private key (mode 0600) and resolves with the public key: `ssh-ed25519 …`. */
  createDeployKey(privateKeyPath: string): Promise<string>
  remove(path: string): Promise<void>
  /** Last fetched head; undefined if nothing was fetched. */
  findHead(directory: string): Promise<string | undefined>
  listFiles(directory: string, hash: string): Promise<readonly TreeEntry[]>
  readFile(directory: string, hash: string, path: string, maxBytes: number): Promise<string | undefined>
  archive(directory: string, hash: string, signal: AbortSignal, folder?: string): Readable
  /**
   * Makes a repository whose one commit holds the files of a gzipped tar; removes it if that fails. Rejects with
   * AdapterError archive-invalid or too-large.
   */
  importArchive(
    directory: string,
    archive: Readable,
    options: UploadLimits & Pick<GitOptions, 'signal'>
  ): Promise<ImportedArchive>
}

export interface UploadLimits {
  /** Unpacked. */
  maxBytes: number
  maxFiles: number
  timeoutMs: number
}

export interface ImportedArchive {
  hash: string
  files: number
  bytes: number
}

export interface GitOptions {
  signal?: AbortSignal
  onProgress?: (line: string) => void
}
