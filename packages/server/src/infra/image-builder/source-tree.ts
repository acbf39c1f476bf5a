import type { Git } from '../git/git.ts'

/** The files of one commit, as far as a decision needs them. */
export interface SourceTree {
  /** Regular files. */
  files: ReadonlySet<string>
  symlinks: ReadonlySet<string>
  submodules: readonly string[]
  /** Undefined for what is no regular file or larger than a manifest sensibly is. */
  read(path: string): Promise<string | undefined>
}

const maxManifestBytes = 8 * 1024 * 1024

export const emptyTree: SourceTree = {
  files: new Set(),
  symlinks: new Set(),
  submodules: [],
  read: async () => undefined
}

export async function readSourceTree(git: Git, directory: string, commitHash: string): Promise<SourceTree> {
  const entries = await git.listFiles(directory, commitHash)
  const pathsOf = (kind: string) => entries.filter((entry) => entry.kind === kind).map((entry) => entry.path)
  const files = new Set(pathsOf('file'))
  return {
    files,
    symlinks: new Set(pathsOf('symlink')),
    submodules: pathsOf('submodule'),
    read: async (path) => (files.has(path) ? git.readFile(directory, commitHash, path, maxManifestBytes) : undefined)
  }
}
