import type { Git } from '../git/git.ts'

export interface SourceTree {
  files: ReadonlySet<string>
  symlinks: ReadonlySet<string>
  submodules: readonly string[]
  /** Undefined for non-regular or too large files. For `sniffedFiles` only the head. */
  read(path: string): Promise<string | undefined>
}

const maxManifestBytes = 512 * 1024

const sniffedFiles = new Set(['pnpm-lock.yaml', 'yarn.lock', 'style.css'])
const headLength = 64 * 1024

// Read whole: locked versions appear anywhere in the file.
const lockFiles = new Set(['poetry.lock', 'uv.lock', 'pdm.lock', 'Pipfile.lock', 'composer.lock'])
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
