import { type FileHandle, lstat, mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { archiveNames } from './archive-name.ts'
import { errnoOf } from './file-error.ts'
import type { ArchiveLimits, Unpacked } from './file-store.ts'
import { joinChunks } from './join-chunks.ts'
import { giveDirectory, giveFile } from './staging.ts'

/** What both formats of archives bring their entries to. */
export interface Unpacker {
  directory(path: string): Promise<void>
  file(path: string, about: { isExecutable: boolean; mtime: Date }, content: AsyncIterable<Buffer>): Promise<void>
  /** Called with each piece that came out of the decompressor, so before what is in it is unpacked. */
  meter(bytes: number): void
  unpacked: Unpacked
}

export interface UnpackOptions {
  /** Of the panel's own, and empty: nothing but this makes anything in it, and never a link. */
  directory: string
  limits: ArchiveLimits
  uid: number
  /** Throws where a path must not be made. */
  assertAccepted: (names: readonly string[]) => void
}

const ratioFloorBytes = 1024 * 1024
/**
 * What an archive may have besides the content of its files: headers are read whole and at once, so that many large ones would keep the
 * process from all else. On top of it what has been decompressed ahead.
 */
const overheadBytesPerEntry = 16 * 1024
const overheadFloorBytes = 8 * 1024 * 1024
const writeBytes = 512 * 1024

export function createUnpacker(
  { directory, limits, uid, assertAccepted }: UnpackOptions,
  packedBytes: number
): Unpacker {
  const unpacked: Unpacked = { files: 0, directories: 0, bytes: 0 }
  let decompressed = 0
  /** The directory of the last entry: archives have what is in a directory together. */
  let lastMade: readonly string[] = []

  const count = (kind: 'files' | 'directories') => {
    unpacked[kind]++
    if (unpacked.files + unpacked.directories <= limits.maxEntries) return
    throw new AdapterError('too-large', { code: 'ARCHIVE_OF_TOO_MANY', values: { max: limits.maxEntries } })
  }

  const makeDirectories = async (names: readonly string[]) => {
    let known = 0
    while (known < names.length && names[known] === lastMade[known]) known++
    for (let depth = known + 1; depth <= names.length; depth++) {
      const path = join(directory, ...names.slice(0, depth))
      if (!(await makeIfMissing(path))) continue
      await giveDirectory(path, uid, 0o755)
      count('directories')
    }
    lastMade = names
  }

  const countBytes = async function* (content: AsyncIterable<Buffer>) {
    for await (const chunk of content) {
      unpacked.bytes += chunk.length
      if (unpacked.bytes > limits.maxBytes) {
        throw new AdapterError('too-large', { code: 'ARCHIVE_TOO_LARGE', values: { bytes: limits.maxBytes } })
      }
      yield chunk
    }
  }

  return {
    unpacked,
    meter: (bytes) => {
      decompressed += bytes
      if (decompressed > ratioFloorBytes && decompressed > packedBytes * limits.maxRatio) {
        throw archiveInvalid(`it unpacks to more than ${limits.maxRatio} times its size`)
      }
      const entries = unpacked.files + unpacked.directories
      if (decompressed - unpacked.bytes > overheadFloorBytes + entries * overheadBytesPerEntry) {
        throw archiveInvalid('it has too much in it besides its files')
      }
    },
    directory: async (path) => {
      await makeDirectories(acceptedNames(path, assertAccepted))
    },
    file: async (path, { isExecutable, mtime }, content) => {
      const names = acceptedNames(path, assertAccepted)
      if (names.length === 0) throw archiveInvalid('a file has no name')
      if (Number.isNaN(mtime.getTime())) throw archiveInvalid(`the time of an entry is none: ${path}`)
      count('files')
      await makeDirectories(names.slice(0, -1))
      const handle = await createFile(join(directory, ...names), path)
      try {
        await writeFile(handle, joinChunks(countBytes(content), writeBytes))
        await giveFile(handle, uid, isExecutable ? 0o755 : 0o644)
        await handle.utimes(mtime, mtime)
      } finally {
        await handle.close()
      }
    }
  }
}

export const archiveInvalid = (problem: string, cause?: unknown) =>
  new AdapterError('archive-invalid', { code: 'ARCHIVE_UNREADABLE', values: { problem } }, { cause })

function acceptedNames(path: string, assertAccepted: UnpackOptions['assertAccepted']): string[] {
  const names = archiveNames(path)
  if (typeof names === 'string') throw archiveInvalid(names)
  assertAccepted(names)
  return names
}

/** Resolves to whether it was made. */
async function makeIfMissing(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    if ((await lstat(path)).isDirectory()) return false
    throw archiveInvalid('an entry is a file and a directory at once')
  }
}

async function createFile(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw errnoOf(error) === 'EEXIST' ? archiveInvalid(`an entry is in it twice: ${name}`) : error
  }
}
