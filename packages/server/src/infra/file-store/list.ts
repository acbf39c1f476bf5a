import type { FileHandle } from 'node:fs/promises'
import { openIfDirectory, readEntries, textOf } from './directory.ts'
import type { FileTree, FoundFile } from './file-store.ts'
import { describeEntry, describeFacts, fileOfFacts } from './found-file.ts'
import { describeNames, type Facts, isLink, namesOfLargeDirectory } from './large-directory.ts'
import { atResolvedPath } from './resolve.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { createSmallest, type WantedNames } from './smallest-names.ts'
import { directoryAt, namesOf } from './tree-path.ts'

export function list(
  root: FileHandle,
  owner: string,
  path: string,
  { depth, limit, after = '' }: Parameters<FileTree['list']>[1]
): ReturnType<FileTree['list']> {
  return atResolvedPath(root, namesOf(path), { followLast: true }, async (found) => {
    const listing: Listing = { root, owner, nodes: [], limit: limit + 1 }
    const resolved = { directory: directoryAt(found), real: found.names, shown: namesOf(path) }
    await listDirectory(listing, resolved, depth, namesOf(after))
    const nodes = listing.nodes.slice(0, limit)
    const last = listing.nodes.length > limit ? nodes.at(-1) : undefined
    return { nodes, next: last ? last.path.slice(path === '' ? 0 : path.length + 1) : null }
  })
}

interface Listing {
  root: FileHandle
  owner: string
  nodes: FoundFile[]
  limit: number
}

interface ListedDirectory {
  directory: FileHandle
  /** Path from the root without links (`real`) and as shown to the client (`shown`). */
  real: readonly string[]
  shown: readonly string[]
}

/** @param after last entry of the previous page, relative to this directory; empty on the first page */
async function listDirectory(
  listing: Listing,
  { directory, real, shown }: ListedDirectory,
  depth: number,
  [after, ...afterBelow]: readonly string[]
): Promise<void> {
  const started = depth > 1 ? after : undefined
  const wanted = { count: listing.limit - listing.nodes.length + 1, after, started }
  const files = await describeEntries(listing, { directory, real, shown }, wanted)
  const parent = shown.length === 0 ? '' : `${shown.join('/')}/`
  for (const file of files) {
    if (!file) continue
    if (listing.nodes.length >= listing.limit) return
    if (file.name !== started) listing.nodes.push({ ...file, path: `${parent}${file.name}` })
    if (depth === 1 || file.type !== 'dir') continue
    const child = { real: [...real, file.name], shown: [...shown, file.name] }
    await inRealDirectory(directory, file.name, (opened) =>
      listDirectory(listing, { ...child, directory: opened }, depth - 1, file.name === started ? afterBelow : [])
    )
  }
}

const smallEntries = 256

async function describeEntries(
  { root, owner }: Listing,
  { directory, real }: ListedDirectory,
  wanted: WantedNames
): Promise<(FoundFile | undefined)[]> {
  const few = await namesIfFew(directory, wanted)
  if (few) return mapConcurrently(few, (name) => describeEntry(root, directory, [...real, name]))
  const names = await namesOfLargeDirectory(owner, directory, wanted)
  const files = new Array<FoundFile | undefined>(names.length)
  const links: { index: number; facts: Facts }[] = []
  await describeNames(owner, directory, names, (index, facts) => {
    const name = names[index]!
    if (facts && isLink(facts)) links.push({ index, facts })
    // The caller adds the directory's shown path.
    else files[index] = facts && fileOfFacts(name, name, facts)
  })
  await mapConcurrently(links, async ({ index, facts }) => {
    files[index] = await describeFacts(root, [...real, names[index]!], facts)
  })
  return files
}

async function namesIfFew(directory: FileHandle, wanted: WantedNames): Promise<string[] | undefined> {
  const smallest = createSmallest(wanted)
  let entries = 0
  for await (const { name } of readEntries(directory)) {
    if (++entries > smallEntries) return undefined
    smallest.add(textOf(name))
  }
  return smallest.names()
}

/** Does not enter links to directories, which might form cycles. */
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
