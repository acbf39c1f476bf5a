import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AdapterError } from '../adapter-error.ts'
import { type Entry, openAgain, openEntry, openForReading, openOwnDirectory, readLinkIfThere } from './directory.ts'
import { undefinedIfMissing, toFileError } from './file-error.ts'
import { joinChunks } from './join-chunks.ts'
import { readChunks } from './open-file.ts'
import { atResolvedPath } from './resolve.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { type TarEntry, tarBlockBytes, tarEnd, tarHeader, tarPadding } from './tar-header.ts'
import { directoryAt, namesOf } from './tree-path.ts'
import { walk } from './walk.ts'

interface PackedDirectory {
  rootPath: string
  path: string
  skip: (path: string) => boolean
  links: 'kept' | 'resolved'
}

/** Opens files only when the first byte is read, so that an unread archive holds no handles. */
export const pack = (packed: PackedDirectory): Readable =>
  Readable.from(joinChunks(packDirectory(packed), pieceBytes), { objectMode: false, highWaterMark: 2 * pieceBytes })

async function* packDirectory({ rootPath, path, skip, links }: PackedDirectory): AsyncGenerator<Buffer> {
  const root = await openOwnDirectory(rootPath)
  try {
    const { directory, names } = await openPacked(root, path)
    try {
      yield* packEntries({ root, names, skip, links }, directory)
    } finally {
      await directory.close()
    }
  } catch (error) {
    throw toFileError(error)
  } finally {
    await root.close()
  }
  yield tarEnd
}

const openPacked = (root: FileHandle, path: string) =>
  atResolvedPath(root, namesOf(path), { followLast: true }, async (resolved) => ({
    directory: await openAgain(directoryAt(resolved)),
    names: resolved.names
  }))

interface Packing {
  root: FileHandle
  names: readonly string[]
  skip: (path: string) => boolean
  links: 'kept' | 'resolved'
}

async function* packEntries(packing: Packing, directory: FileHandle): AsyncGenerator<Buffer> {
  const trail: Buffer[] = []
  const pathOf = (name: Buffer) => joinNames([...trail, name])
  const isWanted = (name: Buffer) => !packing.skip(pathOf(name).toString())
  for await (const step of walk(directory, isWanted)) {
    if (step.type === 'leave') trail.pop()
    if (step.type === 'enter') {
      yield tarHeader(headerOf(pathOf(step.name), await step.directory.stat(), 'directory'))
      trail.push(step.name)
    }
    if (step.type !== 'entries') continue
    const wanted = step.entries.filter(({ name }) => isWanted(name))
    const packed = await mapConcurrently(wanted, ({ name }) => packSmall(packing, step.directory, name, pathOf(name)))
    for (const [index, { name }] of wanted.entries()) {
      const small = packed[index]!
      if (small === 'large') yield* packLarge(packing, step.directory, name, pathOf(name))
      else yield small
    }
  }
}

async function packSmall(
  packing: Packing,
  directory: FileHandle,
  name: Buffer,
  path: Buffer
): Promise<Buffer | 'large'> {
  const entry = await openPackedEntry(packing, directory, name, path)
  if (!entry) return nothing
  try {
    if (entry.stats.isFile()) return entry.stats.size > smallBytes ? 'large' : await bufferOf(packFile(entry, path))
    if (!entry.stats.isSymbolicLink() || !(await staysInside(packing, path))) return nothing
    const linkName = await readLinkIfThere(directory, name)
    return linkName ? tarHeader({ ...headerOf(path, entry.stats, 'symlink'), linkName }) : nothing
  } finally {
    await entry.handle.close()
  }
}

async function* packLarge(packing: Packing, directory: FileHandle, name: Buffer, path: Buffer): AsyncGenerator<Buffer> {
  const entry = await openPackedEntry(packing, directory, name, path)
  if (!entry) return
  try {
    if (entry.stats.isFile()) yield* packFile(entry, path)
  } finally {
    await entry.handle.close()
  }
}

async function* packFile(entry: Entry, path: Buffer): AsyncGenerator<Buffer> {
  const { size } = entry.stats
  yield tarHeader(headerOf(path, entry.stats, 'file'))
  if (size === 0) return
  const handle = await openForReading(entry)
  try {
    let rest = size
    for await (const chunk of readChunks(handle, 0, size)) {
      rest -= chunk.length
      yield chunk
    }
    for (; rest > 0; rest -= Math.min(rest, zeros.length)) yield zeros.subarray(0, rest)
    yield tarPadding(size)
  } finally {
    await handle.close()
  }
}

async function openPackedEntry(
  { root, names, links }: Packing,
  directory: FileHandle,
  name: Buffer,
  path: Buffer
): Promise<Entry | undefined> {
  const entry = await undefinedIfMissing(openEntry(directory, name))
  if (links === 'kept' || !entry?.stats.isSymbolicLink()) return entry
  await entry.handle.close()
  try {
    return await atResolvedPath(
      root,
      [...names, ...path.toString().split('/')],
      { followLast: true },
      async ({ parent }) => (parent ? undefinedIfMissing(openEntry(parent.directory, parent.name)) : undefined)
    )
  } catch (error) {
    const problem = toFileError(error)
    if (problem instanceof AdapterError) return undefined
    throw error
  }
}

async function staysInside({ root, names }: Packing, path: Buffer): Promise<boolean> {
  try {
    return await atResolvedPath(root, [...names, ...path.toString().split('/')], { followLast: true }, async () => true)
  } catch (error) {
    const problem = toFileError(error)
    if (problem instanceof AdapterError) return problem.kind === 'file-not-found'
    throw error
  }
}

const headerOf = (name: Buffer, stats: Stats, type: TarEntry['type']): TarEntry => ({
  name,
  type,
  size: type === 'file' ? stats.size : 0,
  mode: stats.mode & 0o777,
  uid: stats.uid,
  mtime: stats.mtime
})

async function bufferOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const gathered: Buffer[] = []
  for await (const piece of pieces) gathered.push(piece)
  return Buffer.concat(gathered)
}

const joinNames = (names: readonly Buffer[]) =>
  Buffer.concat(names.flatMap((name, index) => (index === 0 ? [name] : [slash, name])))
const slash = Buffer.from('/')
const nothing = Buffer.alloc(0)

// Smaller files are read whole and concurrently, because each costs several trips to the thread pool.
const smallBytes = 64 * 1024

const zeros = Buffer.alloc(128 * tarBlockBytes)

const pieceBytes = 64 * 1024
