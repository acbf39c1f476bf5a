import { link, lchown, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Extract } from 'tar-stream'
import { archiveNames } from '../file-store/archive-name.ts'
import type { ArchiveLimits, Unpacked } from '../file-store/file-store.ts'
import { isRoot } from '../file-store/staging.ts'
import { archiveInvalid, createUnpacker, type Unpacker } from '../file-store/unpacker.ts'

interface Options {
  /** Empty, and accessible to the panel only. */
  directory: string
  uid: number
  limits: Pick<ArchiveLimits, 'maxBytes' | 'maxEntries'>
}

interface Link {
  names: string[]
  target: string
}

/**
 * Unpacks a directory of an image, as the container engine streams it: every entry is below the directory's last name,
 * which is omitted. Everything belongs to `uid`. Devices, sockets and FIFOs are skipped, and so is an image whose path
 * is not a directory. Links are made after all files, so that nothing is written through one.
 */
export async function unpackImageFiles(tar: Readable, { directory, uid, limits }: Options): Promise<Unpacked> {
  const unpacker = createUnpacker(
    { directory, limits: { ...limits, maxRatio: Infinity }, uid, assertAccepted: () => {} },
    0
  )
  const entries = extract()
  const [links] = await Promise.all([unpackEntries(entries, unpacker), pipeline(tar, entries)])
  for (const { names, target } of links.hard)
    await link(join(directory, ...relativeNames(target)), join(directory, ...names))
  for (const { names, target } of links.symbolic) {
    // Fails if a part of the path is a link by now.
    await unpacker.directory(names.slice(0, -1).join('/') || '.')
    const path = join(directory, ...names)
    await symlink(target, path)
    if (isRoot()) await lchown(path, uid, uid)
  }
  return unpacker.unpacked
}

async function unpackEntries(entries: Extract, unpacker: Unpacker): Promise<{ hard: Link[]; symbolic: Link[] }> {
  const links = { hard: [] as Link[], symbolic: [] as Link[] }
  for await (const entry of entries) {
    const { name, mode, mtime, type, linkname } = entry.header
    const names = relativeNames(name)
    const path = names.join('/')
    if (names.length > 0 && type === 'directory') await unpacker.directory(path)
    else if (names.length > 0 && (type === 'file' || type === 'contiguous-file'))
      await unpacker.file(path, { isExecutable: (mode & 0o100) !== 0, mtime }, entry as AsyncIterable<Buffer>)
    else if (names.length > 0 && type === 'link') links.hard.push({ names, target: linkname ?? '' })
    else if (names.length > 0 && type === 'symlink') links.symbolic.push({ names, target: linkname ?? '' })
    entry.resume()
  }
  return links
}

function relativeNames(path: string): string[] {
  const names = archiveNames(path)
  if (typeof names === 'string') throw archiveInvalid(names)
  return names.slice(1)
}
