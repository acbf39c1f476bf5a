import type { Readable } from 'node:stream'

/** How to reach a repository. Built by features/git from the project, never from request text directly. */
export interface GitRemote {
  /** After GIT_MIRRORS: https://…, http://… or ssh://…; no user text beyond host and path. */
  url: string
  /** Path of the private key file, for ssh. */
  privateKeyPath: string | undefined
}

export interface Commit {
  /** 40 or 64 hex digits. */
  hash: string
  /** Subject and body, at most 2,000 characters. */
  message: string
}

export interface RemoteBranches {
  /** Those whose names are branch names here, in the order of the alphabet, at most 1,000. */
  names: readonly string[]
  /** The one that is meant where none is named; undefined where the server does not say, or nothing is on it. */
  head: string | undefined
}

/** Commits that one has and another has not. */
export interface CommitRange {
  /** The newest first. */
  commits: readonly CommitLine[]
  /** Whether these are all: the other one was found, and no more lie between. */
  isComplete: boolean
}

export interface CommitLine {
  hash: string
  /** At most 300 characters. */
  subject: string
  author: string
  at: Date
}

export interface TreeEntry {
  /** Relative to the repository's root, with `/`. */
  path: string
  kind: 'file' | 'symlink' | 'submodule'
  sizeBytes: number
}

/**
 * A bare repository per project. Nothing of a repository is ever checked out on the host: files are read as git objects, and
 * a build gets its context as a tar stream of one commit, so links and hooks inside a repository have nothing to act on.
 * Rejects with AdapterError repository-unavailable with git's own reason, or with the signal's reason when that has fired. Calls for one
 * directory must not overlap.
 */
export interface Git {
  /** Creates the repository if missing and brings the head of the branch. Removes a half-made one and starts again. */
  fetchBranch(directory: string, remote: GitRemote, branch: string, options: GitOptions): Promise<Commit>
  /** Brings one commit of the branch. Rejects where it is none: not the head, and no ancestor of it. */
  fetchCommit(directory: string, remote: GitRemote, branch: string, hash: string, options: GitOptions): Promise<Commit>
  /** What branches there are. Rejects with AdapterError repository-private where a key, or another one, may be what is missing. */
  listBranches(directory: string, remote: GitRemote, options: GitOptions): Promise<RemoteBranches>
  /**
   * Commits that `to` has and `from` has not, both of the branch, at most 50; into a repository for nothing else, since only commits are
   * brought where the server can do that.
   */
  listCommits(
    directory: string,
    remote: GitRemote,
    range: { branch: string; from: string; to: string },
    options: GitOptions
  ): Promise<CommitRange>
  /** Makes an Ed25519 pair, writes the private half to the path (mode 0600), resolves with the public one: `ssh-ed25519 …`. */
  createDeployKey(privateKeyPath: string): Promise<string>
  /** Removes a repository, a key, or a directory of such; may be gone already. */
  remove(path: string): Promise<void>
  /** The hash of the head that was fetched last; undefined where nothing was. */
  findHead(directory: string): Promise<string | undefined>
  listFiles(directory: string, hash: string): Promise<readonly TreeEntry[]>
  /** Undefined when there is no regular file of that path, or it is larger than `maxBytes`. */
  readFile(directory: string, hash: string, path: string, maxBytes: number): Promise<string | undefined>
  /** The commit's files as a tar stream; errors surface on the stream. */
  archive(directory: string, hash: string, signal: AbortSignal): Readable
}

export interface GitOptions {
  signal?: AbortSignal
  onProgress?: (line: string) => void
}
