import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../errors.ts'

/** Stores a stream of at most `maxBytes`. */
export async function storedArchive(
  input: AsyncIterable<Buffer>,
  target: Writable,
  maxBytes: number,
  tooLarge: () => AppError | undefined
): Promise<void> {
  async function* metered() {
    let bytes = 0
    for await (const chunk of input) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw tooLarge() ?? new AppError('PAYLOAD_TOO_LARGE', 'The archive is too large for this server')
      yield chunk
    }
  }
  await pipeline(metered, target).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw new AppError('DISK_FULL', 'The disk of the server is full. Ask an administrator to free up space.', {
        cause: error
      })
    throw error
  })
}
