import type { FileHandle } from 'node:fs/promises'
import { openIfDirectory, readEntries, textOf } from './directory.ts'
import type { FileTree, FoundFile } from './file-store.ts'
import { describeEntry } from './found-file.ts'
import { atResolvedPath } from './resolve.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { directoryAt, namesOf } from './tree-path.ts'

export function list(
  root: FileHandle,
  path: string,
  { depth, limit, after = '' }: Parameters<FileTree['list']>[1]
): ReturnType<FileTree['list']> {
  return atResolvedPath(root, namesOf(path), { followLast: true }, async (found) => {
    // One more than asked for tells whether there is a next page.
    const listing: Listing = { root, nodes: [], limit: limit + 1 }
    const resolved = { directory: directoryAt(found), real: found.names, shown: namesOf(path) }
    await listDirectory(listing, resolved, depth, namesOf(after))
    const nodes = listing.nodes.slice(0, limit)
    const last = listing.nodes.length > limit ? nodes.at(-1) : undefined
    return { nodes, next: last ? last.path.slice(path === '' ? 0 : path.length + 1) : null }
  })
}

interface Listing {
  root: FileHandle
  nodes: FoundFile[]
  limit: number
}

interface ListedDirectory {
  directory: FileHandle
  /** Its path from the root without links, and as the client sees it. */
  real: readonly string[]
  shown: readonly string[]
}

/** @param after the last entry of the page before, relative to this directory; none at its beginning */
async function listDirectory(
  listing: Listing,
  { directory, real, shown }: ListedDirectory,
  depth: number,
  [after, ...afterBelow]: readonly string[]
): Promise<void> {
  // With more than one level, the page before may have ended inside of that directory.
  const begun = depth > 1 ? after : undefined
  const isWanted = (name: string) => after === undefined || name > after || name === begun
  const names = await smallestNames(directory, listing.limit - listing.nodes.length + 1, isWanted)
  const files = await mapConcurrently(names, (name) => describeEntry(listing.root, directory, [...real, name]))
  for (const file of files) {
    // Gone since its name was read.
    if (!file) continue
    if (listing.nodes.length >= listing.limit) return
    const child = { real: [...real, file.name], shown: [...shown, file.name] }
    if (file.name !== begun) listing.nodes.push({ ...file, path: child.shown.join('/') })
    if (depth === 1 || file.type !== 'dir') continue
    await inRealDirectory(directory, file.name, (opened) =>
      listDirectory(listing, { ...child, directory: opened }, depth - 1, file.name === begun ? afterBelow : [])
    )
  }
}

/** The first names in code unit order, of a directory of any size in memory for `count` of them. Names that are not UTF-8 are left out. */
async function smallestNames(
  directory: FileHandle,
  count: number,
  isWanted: (name: string) => boolean
): Promise<string[]> {
  let names: string[] = []
  const cut = () => (names = names.sort().slice(0, count))
  for await (const { name } of readEntries(directory)) {
    const text = textOf(name)
    if (text === undefined || !isWanted(text)) continue
    if (names.push(text) >= 2 * count + 1000) cut()
  }
  return cut()
}

/** A link to a directory is listed, not entered: it might lead around in circles. */
async function inRealDirectory(
  directory: FileHandle,
  name: string,
  use: (opened: FileHandle) => Promise<void>
): Promise<void> {
  const opened = await openIfDirectory(directory, name)
  if (!opened) return
  try {
    await use(opened)
  } finally {
    await opened.close()
  }
}
