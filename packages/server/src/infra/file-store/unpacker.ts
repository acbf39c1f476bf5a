import { type FileHandle, lstat, mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { archiveNames } from './archive-name.ts'
import { errnoOf } from './file-error.ts'
import type { ArchiveLimits, Unpacked } from './file-store.ts'
import { joinChunks } from './join-chunks.ts'
import { giveDirectory, giveFile } from './staging.ts'

export interface Unpacker {
  directory(path: string): Promise<void>
  file(path: string, about: { isExecutable: boolean; mtime: Date }, content: AsyncIterable<Buffer>): Promise<void>
  meter(bytes: number): void
  unpacked: Unpacked
}

export interface UnpackOptions {
  /** Empty and used only by this unpacker; never contains links. */
  directory: string
  limits: ArchiveLimits
  uid: number
  assertAccepted: (names: readonly string[]) => void
}

const ratioFloorBytes = 1024 * 1024
// Allowed bytes besides file content, including decompressed read-ahead. Headers are parsed synchronously, so many
// large ones would block the event loop.
const overheadBytesPerEntry = 16 * 1024
const overheadFloorBytes = 8 * 1024 * 1024
const writeBytes = 512 * 1024

export function createUnpacker(
  { directory, limits, uid, assertAccepted }: UnpackOptions,
  packedBytes: number
): Unpacker {
  const unpacked: Unpacked = { files: 0, directories: 0, bytes: 0 }
  let decompressed = 0
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
        throw archiveInvalid('it contains too much data besides its files')
      }
    },
    directory: async (path) => {
      await makeDirectories(acceptedNames(path, assertAccepted))
    },
    file: async (path, { isExecutable, mtime }, content) => {
      const names = acceptedNames(path, assertAccepted)
      if (names.length === 0) throw archiveInvalid('an entry has no name')
      if (Number.isNaN(mtime.getTime())) throw archiveInvalid(`an entry has an invalid modification time: ${path}`)
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

async function makeIfMissing(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    if ((await lstat(path)).isDirectory()) return false
    throw archiveInvalid('an entry is both a file and a folder')
  }
}

async function createFile(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw errnoOf(error) === 'EEXIST' ? archiveInvalid(`it contains an entry twice: ${name}`) : error
  }
}
