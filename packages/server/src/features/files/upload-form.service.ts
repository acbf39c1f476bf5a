import { on } from 'node:events'
import type { Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import { ClientPath } from '@panel/contract/files'
import { AppError } from '../../errors.ts'
import { requireUtf8Part } from '../../http/lone-surrogates.ts'
import { createFairScheduler } from '../../concurrency/fair-scheduler.ts'

/** Multipart parser limits: a field fits any path; more parts than our form has, because clients may add some. */
export const formLimits = { files: 1, fields: 10, parts: 12, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 50 }

/** Chunks of 64 KiB per event-loop tick, across all uploads: a fraction of a millisecond. */
const chunkTick = createFairScheduler(4)

interface UploadForm {
  /** The field `path`; undefined if it comes after the file. Then call again when the content has been read. */
  path(): string | undefined
  filename: string
  /** The file's chunks. Completes only if the rest of the form is valid too. */
  content(): AsyncGenerator<Buffer>
}

/** Reads a form up to its file, without buffering. `key` is for fair scheduling. */
export async function openUploadForm(parts: AsyncIterator<Multipart>, key: string): Promise<UploadForm> {
  let path: string | undefined
  const nextFile = async (): Promise<MultipartFile | undefined> => {
    for (let next = await nextPart(parts); !next.done; next = await nextPart(parts)) {
      const part = next.value
      requireUtf8Part(part)
      if (part.type === 'file') return part
      if (part.fieldname === 'path') path = pathField(part.value, part.valueTruncated, path)
    }
    return undefined
  }
  const part = await nextFile()
  if (!part || part.fieldname !== 'file' || !part.filename)
    throw new AppError('VALIDATION_ERROR', 'Send the file in the field `file`, with a file name')
  // Fails immediately instead of after the rest of the upload.
  part.file.once('limit', () => part.file.destroy(tooLarge()))
  return {
    path: () => path,
    filename: part.filename,
    async *content() {
      try {
        for await (const piece of chunksOf(part.file)) {
          await chunkTick(key)
          yield piece
        }
      } catch (cause) {
        throw asUploadError(cause)
      }
      if (part.file.truncated) throw tooLarge()
      if (await nextFile()) throw new AppError('VALIDATION_ERROR', 'Send one file at a time')
    }
  }
}

/** Async iteration of a Readable would copy every byte, and collecting the copies causes GC pauses. */
async function* chunksOf(file: Readable): AsyncGenerator<Buffer> {
  // A stream that has already ended emits no more events.
  if (file.errored) throw file.errored
  if (file.destroyed) throw interrupted()
  try {
    for await (const [piece] of on(file, 'data', { close: ['end', 'close'], highWaterMark: 2, lowWaterMark: 1 }))
      yield piece as Buffer
    if (!file.readableEnded) throw interrupted()
  } finally {
    file.destroy()
  }
}

const interrupted = () => new AppError('VALIDATION_ERROR', 'The upload was interrupted')

const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', 'The file exceeds the upload size limit')

function pathField(value: unknown, isTruncated: boolean, previous: string | undefined): string {
  if (previous !== undefined) throw new AppError('VALIDATION_ERROR', 'Send the field `path` only once')
  const parsed = ClientPath.safeParse(value)
  if (isTruncated || !parsed.success) throw new AppError('VALIDATION_ERROR', 'The field `path` is too long')
  return parsed.data
}

async function nextPart(parts: AsyncIterator<Multipart>): Promise<IteratorResult<Multipart>> {
  try {
    return await parts.next()
  } catch (error) {
    throw asUploadError(error)
  }
}

/** Maps multipart parser errors to AppError; errors with a code are handled by the error handler. */
function asUploadError(error: unknown): unknown {
  if (error instanceof AppError || (error instanceof Error && 'code' in error)) return error
  return new AppError('VALIDATION_ERROR', 'The form is incomplete or not multipart/form-data', { cause: error })
}
