import type { FileHandle } from 'node:fs/promises'
import { textOf } from './directory.ts'
import type { FileTree, FoundFile } from './file-store.ts'
import { describeEntry, foundFile } from './found-file.ts'
import { atResolvedPath } from './resolve.ts'
import { directoryAt, namesOf } from './tree-path.ts'
import { newEntriesOf, type Step, walk } from './walk.ts'

const maxScanned = 200_000

export function search(
  root: FileHandle,
  path: string,
  { name, limit }: Parameters<FileTree['search']>[1]
): ReturnType<FileTree['search']> {
  const needle = normalized(name)
  return atResolvedPath(root, namesOf(path), { followLast: true }, async (resolved) => {
    const nodes: FoundFile[] = []
    /** Directories on the way. Those with non-UTF-8 names are skipped: no path can name their content. */
    const trail: string[] = []
    let checkedAt = 0
    for await (const step of walk(directoryAt(resolved), (directory) => textOf(directory) !== undefined)) {
      if (step.type === 'leave') {
        trail.pop()
        continue
      }
      for (const { name: bytes } of newEntriesOf(step)) {
        const text = textOf(bytes)
        if (text === undefined) continue
        if (++checkedAt > maxScanned) return { nodes, isComplete: false }
        if (!normalized(text).includes(needle)) continue
        if (nodes.length === limit) return { nodes, isComplete: false }
        const file = await describe(root, step, [...resolved.names, ...trail, text])
        if (file) nodes.push({ ...file, path: [...namesOf(path), ...trail, text].join('/') })
      }
      if (step.type === 'enter') trail.push(step.name.toString())
    }
    return { nodes, isComplete: true }
  })
}

const describe = async (root: FileHandle, step: Exclude<Step, { type: 'leave' }>, path: readonly string[]) =>
  step.type === 'enter' ? foundFile(path, await step.directory.stat()) : describeEntry(root, step.directory, path)

const normalized = (name: string) => name.normalize('NFC').toLowerCase()
