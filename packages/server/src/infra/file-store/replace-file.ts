import type { FileHandle } from 'node:fs/promises'
import { rename } from 'node:fs/promises'
import { contentHash } from '../../text/content-hash.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { AdapterError } from '../adapter-error.ts'
import { at, openEntry } from './directory.ts'
import { undefinedIfMissing } from './file-error.ts'
import { openRegularFile } from './open-file.ts'

const maxComparedBytes = 16 * 1024 * 1024

interface Place {
  directory: FileHandle
  name: string
}

const serialized = createKeyedMutex<string>()

/** Serialized per name, so that of two writers with the same `ifMatch` one fails. One process handles all files. */
export async function replaceFile(staged: string, place: Place, ifMatch: string | undefined): Promise<void> {
  const { dev, ino } = await place.directory.stat()
  await serialized(`${dev}:${ino}/${place.name}`, async () => {
    if (ifMatch !== undefined && (await tagOf(place)) !== ifMatch) throw changed()
    await rename(staged, at(place.directory, place.name))
  })
}

export const changed = () =>
  new AdapterError('file-changed', 'The file was changed or removed since you read it. Reload it and try again.')

/** Undefined if the content cannot have been read by a client. */
async function tagOf({ directory, name }: Place): Promise<string | undefined> {
  const entry = await undefinedIfMissing(openEntry(directory, name))
  if (!entry) return undefined
  try {
    if (!entry.stats.isFile() || entry.stats.size > maxComparedBytes) return undefined
    const handle = await openRegularFile({ entry })
    try {
      // Reads at most one byte more than its size, even if it grows.
      const buffer = Buffer.alloc(entry.stats.size + 1)
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
      return contentHash(buffer.subarray(0, bytesRead))
    } finally {
      await handle.close()
    }
  } finally {
    await entry.handle.close()
  }
}
