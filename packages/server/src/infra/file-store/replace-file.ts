import type { FileHandle } from 'node:fs/promises'
import { rename } from 'node:fs/promises'
import { contentHash } from '../../text/content-hash.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { AdapterError } from '../adapter-error.ts'
import { at, openEntry } from './directory.ts'
import { ifThere } from './file-error.ts'
import { openRegularFile } from './open-file.ts'

/** What is compared with what somebody read is no larger: nobody reads more as text. */
const maxComparedBytes = 16 * 1024 * 1024

interface Place {
  directory: FileHandle
  name: string
}

const serialized = createKeyedMutex<string>()

/**
 * Puts a staged file in the place of what has that name, with `ifMatch` only if that is its content. One after the other for each name, so that of
 * two who read the same one is refused. Per process, which is enough: all files of a machine are in the hands of one.
 */
export async function replaceFile(staged: string, place: Place, ifMatch: string | undefined): Promise<void> {
  const { dev, ino } = await place.directory.stat()
  await serialized(`${dev}:${ino}/${place.name}`, async () => {
    if (ifMatch !== undefined && (await tagOf(place)) !== ifMatch) throw changed()
    await rename(staged, at(place.directory, place.name))
  })
}

export const changed = () =>
  new AdapterError(
    'file-changed',
    'Somebody else has written the file since it was read, or removed it: read it again.'
  )

/** Undefined for what nobody can have read. */
async function tagOf({ directory, name }: Place): Promise<string | undefined> {
  const entry = await ifThere(openEntry(directory, name))
  if (!entry) return undefined
  try {
    if (!entry.stats.isFile() || entry.stats.size > maxComparedBytes) return undefined
    const handle = await openRegularFile({ entry })
    try {
      // Of one that grows meanwhile no more than it had.
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
