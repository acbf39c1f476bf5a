import type { Git } from '../git/git.ts'

/** The files of one commit, as far as a decision needs them. */
export interface SourceTree {
  /** Regular files. */
  files: ReadonlySet<string>
  symlinks: ReadonlySet<string>
  submodules: readonly string[]
  /** Undefined for what is no regular file or too large; of a file that only its head matters of, the head. */
  read(path: string): Promise<string | undefined>
}

const maxManifestBytes = 512 * 1024

/** Files of which the first lines say all that is asked; they may be large. */
const sniffedFiles = new Set(['pnpm-lock.yaml', 'yarn.lock', 'style.css'])
const headLength = 64 * 1024

/** The locked versions are everywhere in the file. */
const lockFiles = new Set(['poetry.lock', 'uv.lock', 'pdm.lock', 'Pipfile.lock'])
const maxLockBytes = 8 * 1024 * 1024
const maxSniffedBytes = 32 * 1024 * 1024

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
    read: async (path) => {
      if (!files.has(path)) return undefined
      const text = await git.readFile(directory, commitHash, path, maxBytesOf(path))
      return sniffedFiles.has(path) ? text?.slice(0, headLength) : text
    }
  }
}

const maxBytesOf = (path: string): number =>
  sniffedFiles.has(path) ? maxSniffedBytes : lockFiles.has(path) ? maxLockBytes : maxManifestBytes
