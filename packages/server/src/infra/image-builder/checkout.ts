import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { extract, type Extract } from 'tar-stream'
import { staysInside } from '../../text/link-target.ts'
import { ignoreErrorEvents } from './build-context.ts'
import { BuildError } from './image-builder.ts'

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never

export interface Checkout {
  source: string
  scratch: string
}

/** Writes links last and only those that stay inside, so that nothing is ever written through a link. */
export async function withCheckout<T>(
  archive: Readable,
  options: { parent: string; maxBytes: number },
  work: (checkout: Checkout) => Promise<T>
): Promise<T> {
  const scratch = await mkdtemp(join(options.parent, 'build-'))
  const source = join(scratch, 'source')
  try {
    await mkdir(source)
    await unpackInto(source, archive, options.maxBytes)
    return await work({ source, scratch })
  } finally {
    archive.destroy()
    await rm(scratch, { recursive: true, force: true })
  }
}

async function unpackInto(directory: string, archive: Readable, maxBytes: number): Promise<void> {
  const links: { path: string; target: string }[] = []
  const reader = ignoreErrorEvents(extract())
  archive.once('error', (error) => reader.destroy(error))
  archive.once(
    'close',
    () =>
      archive.readableEnded ||
      reader.destroy(archive.errored ?? new Error('The repository archive ended unexpectedly.'))
  )
  archive.pipe(reader as unknown as NodeJS.WritableStream)
  let left = maxBytes
  for await (const entry of reader) {
    const { name, type, size, mode, linkname } = entry.header
    const path = name.replace(/\/$/, '')
    left -= 512 + size
    if (left < 0) throw new BuildError({ code: 'REPOSITORY_TOO_LARGE_TO_BUILD' })
    if (!isInside(path)) throw new BuildError(`The repository contains an invalid path: ${JSON.stringify(path)}`)
    if (type === 'directory') await mkdir(join(directory, path), { recursive: true })
    else if (type === 'symlink') links.push({ path, target: linkname })
    else if (type === 'file') {
      await mkdir(dirname(join(directory, path)), { recursive: true })
      await writeEntry(entry, join(directory, path), mode & 0o111 ? 0o755 : 0o644)
      continue
    }
    entry.resume()
  }
  for (const { path } of links) await mkdir(dirname(join(directory, path)), { recursive: true })
  for (const { path, target } of links) if (staysInside(path, target)) await symlink(target, join(directory, path))
}

const writeEntry = (entry: Entry, path: string, mode: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const file = createWriteStream(path, { flags: 'wx', mode })
    file.once('error', reject).once('close', resolve)
    entry.once('error', (error) => file.destroy(error))
    entry.pipe(file as never)
  })

const isInside = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
