import { constants, type Dirent } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { joinChunks } from '../file-store/join-chunks.ts'
import { readChunks } from '../file-store/open-file.ts'
import { tarEnd, type TarEntry, tarHeader, tarPadding } from '../file-store/tar-header.ts'
import { ifThere, openBelow, pathOf } from './mail-directory.ts'
import { mailUid } from './mail-paths.ts'
import { wantedOf } from './maildir-names.policy.ts'

export const top = 'Maildir'
const halves = ['new', 'cur', 'tmp']

/** Small chunks are merged to this size: fewer, larger ones are cheaper to stream. */
const pieceBytes = 64 * 1024

/** Finds messages that are renamed meanwhile. Follows no symbolic links, which mail owners could plant. */
export const archiveMaildir = (open: () => Promise<FileHandle | undefined>): Readable =>
  Readable.from(joinChunks(packed(open), pieceBytes), { objectMode: false, highWaterMark: 2 * pieceBytes })

async function* packed(open: () => Promise<FileHandle | undefined>): AsyncGenerator<Buffer> {
  const maildir = await open()
  if (maildir) yield* packDirectory(maildir, top)
  yield tarEnd
}

async function* packDirectory(directory: FileHandle, name: string): AsyncGenerator<Buffer> {
  try {
    yield directoryHeader(name, (await directory.stat()).mtime)
    for (const half of halves) yield directoryHeader(`${name}/${half}`, new Date())
    yield* packMessages(directory, name)
    for (const entry of (await entriesOf(directory)) ?? []) {
      const wanted = wantedOf(name === top ? 'mailbox' : 'folder', entry.name, entry.isDirectory())
      const below = `${name}/${entry.name}`
      const folder = wanted === 'folder' ? await openBelow(directory, entry.name) : undefined
      if (folder) yield* packDirectory(folder, below)
      if (wanted === 'file') yield* packFile(await openFile(directory, entry.name), below)
    }
  } finally {
    await directory.close()
  }
}

// Flags do not change faster than the directory can be read, three times in a row.
const attempts = 3

async function* packMessages(folder: FileHandle, folderName: string): AsyncGenerator<Buffer> {
  let known = await listMessages(folder)
  for (const [message, listed] of known) {
    let path: string | undefined = listed
    let file = await openMessage(folder, listed)
    // Moved to `cur` or flagged in the meantime: it has a new name, or is gone.
    for (let attempt = 0; !file && attempt < attempts; attempt++) {
      if (attempt > 0) known = await listMessages(folder)
      path = known.get(message)
      if (path === undefined) break
      file = await openMessage(folder, path)
    }
    yield* packFile(file, `${folderName}/${path}`)
  }
}

/** By the part of the name that flags do not change. `new` first, so that moved messages are not missed. */
async function listMessages(folder: FileHandle): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const half of ['new', 'cur'])
    for (const { name } of (await inHalf(folder, half, entriesOf)) ?? [])
      found.set(name.split(':')[0]!, `${half}/${name}`)
  return found
}

function openMessage(folder: FileHandle, path: string): Promise<FileHandle | undefined> {
  const [half, name] = [path.slice(0, 3), path.slice(4)]
  return inHalf(folder, half, (directory) => openFile(directory, name))
}

async function inHalf<T>(
  folder: FileHandle,
  half: string,
  work: (directory: FileHandle) => Promise<T>
): Promise<T | undefined> {
  const directory = await openBelow(folder, half)
  return directory && work(directory).finally(() => directory.close())
}

async function* packFile(file: FileHandle | undefined, name: string): AsyncGenerator<Buffer> {
  if (!file) return
  try {
    const { size, mtime } = await file.stat()
    yield tarHeader({ ...entryOf(name, mtime), type: 'file', size, mode: 0o600 })
    let rest = size
    for await (const chunk of readChunks(file, 0, size)) {
      rest -= chunk.length
      yield chunk
    }
    // Messages never change, so a short file is damaged: fail instead of exporting a part.
    if (rest > 0) throw new Error(`${name} was cut while it was read`)
    yield tarPadding(size)
  } finally {
    await file.close()
  }
}

const directoryHeader = (name: string, mtime: Date): Buffer =>
  tarHeader({ ...entryOf(name, mtime), type: 'directory', size: 0, mode: 0o700 })

const entryOf = (name: string, mtime: Date): Pick<TarEntry, 'name' | 'uid' | 'mtime'> => ({
  name: Buffer.from(name),
  uid: mailUid,
  mtime
})

async function openFile(directory: FileHandle, name: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await ifThere(open(pathOf(directory, name), flags))
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

const entriesOf = (directory: FileHandle): Promise<Dirent[] | undefined> =>
  ifThere(readdir(pathOf(directory), { withFileTypes: true }))
