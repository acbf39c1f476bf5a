import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pack, type Pack } from 'tar-stream'
import { ignoreErrorEvents } from './build-context.ts'

const epoch = new Date(0)

export function tarOf(fill: (tar: Pack) => Promise<void>): Readable {
  const tar = ignoreErrorEvents(pack())
  const stream = Readable.from(tar, { objectMode: false })
  stream.once('close', () => tar.destroy())
  void fill(tar).then(
    () => tar.finalize(),
    (error: Error) => stream.destroy(error)
  )
  return stream
}

/** Adds everything below `directory` as `name/…`, or at the root for ''. Skips sockets and devices. */
export async function addDirectory(
  tar: Pack,
  directory: string,
  name: string,
  skips: (name: string) => boolean = () => false
): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const [path, target] = [join(directory, entry.name), name === '' ? entry.name : `${name}/${entry.name}`]
    if (skips(target)) continue
    if (entry.isDirectory()) await addDirectory(tar, path, target, skips)
    else if (entry.isFile()) await addFile(tar, path, target)
    else if (entry.isSymbolicLink()) await addLink(tar, target, await readlink(path))
  }
}

export async function addFile(tar: Pack, path: string, name: string): Promise<void> {
  const { size, mode } = await lstat(path)
  await untilDone((done) => {
    const entry = ignoreErrorEvents(tar.entry({ name, size, mode: mode & 0o111 ? 0o755 : 0o644, mtime: epoch }, done))
    const file = createReadStream(path).once('error', (error) => entry.destroy(error))
    file.pipe(entry as unknown as NodeJS.WritableStream)
  })
}

export const addText = (tar: Pack, name: string, text: string | Buffer): Promise<void> =>
  untilDone((done) => ignoreErrorEvents(tar.entry({ name, mode: 0o644, mtime: epoch }, text, done)))

const addLink = (tar: Pack, name: string, linkname: string): Promise<void> =>
  untilDone((done) => ignoreErrorEvents(tar.entry({ name, linkname, type: 'symlink', mtime: epoch }, done)))

const untilDone = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
