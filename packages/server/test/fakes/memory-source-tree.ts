import type { SourceTree } from '../../src/infra/image-builder/source-tree.ts'

/** Text files; `null` is a symbolic link. */
export function createMemoryTree(files: Readonly<Record<string, string | null>>): SourceTree {
  const names = Object.keys(files)
  return {
    files: new Set(names.filter((name) => files[name] !== null)),
    symlinks: new Set(names.filter((name) => files[name] === null)),
    submodules: [],
    read: async (path) => files[path] ?? undefined
  }
}
