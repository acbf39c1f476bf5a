import { on } from 'node:events'
import type { Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import { ClientPath } from '@panel/contract/files'
import { AppError } from '../../errors.ts'
import { requireUtf8Part } from '../../http/lone-surrogates.ts'
import { createFairScheduler } from '../../concurrency/fair-scheduler.ts'

/** Of the parser: more than a path takes as UTF-8, and no more parts than a browser's form may add to ours. */
export const formLimits = { files: 1, fields: 10, parts: 12, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 50 }

/** Of pieces of 64 KiB, of all uploads, in one turn of the event loop: a fraction of a millisecond. */
const chunkTick = createFairScheduler(4)

interface UploadForm {
  /** The field `path`; undefined where it does not stand before the file. Then ask again when the file has been read. */
  path(): string | undefined
  /** What the client calls the file. */
  filename: string
  /** The bytes of the file. They end well only when all of the form has been read and there is nothing wrong with it. */
  content(): AsyncGenerator<Buffer>
}

/**
 * Reads a form up to its file. Its parts come as they are sent: nothing is kept.
 * @param key whose turn it is among uploads
 */
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
    throw new AppError('VALIDATION_ERROR', 'Send the file as the field `file`, with its name')
  // At once, not when the rest has come too.
  part.file.once('limit', () => part.file.destroy(tooLarge()))
  return {
    path: () => path,
    filename: part.filename,
    async *content() {
      try {
        for await (const piece of piecesOf(part.file)) {
          await chunkTick(key)
          yield piece
        }
      } catch (cause) {
        throw asRefusal(cause)
      }
      if (part.file.truncated) throw tooLarge()
      if (await nextFile()) throw new AppError('VALIDATION_ERROR', 'Send one file at a time')
    }
  }
}

/**
 * As they came: a stream that is iterated joins all that it has by then, a copy of every byte, and what is thrown away so is collected while
 * nobody is answered.
 */
async function* piecesOf(file: Readable): AsyncGenerator<Buffer> {
  // Of what is over already, nothing more will be told.
  if (file.errored) throw file.errored
  if (file.destroyed) throw cutOff()
  try {
    for await (const [piece] of on(file, 'data', { close: ['end', 'close'], highWaterMark: 2, lowWaterMark: 1 }))
      yield piece as Buffer
    if (!file.readableEnded) throw cutOff()
  } finally {
    file.destroy()
  }
}

const cutOff = () => new AppError('VALIDATION_ERROR', 'The form was cut off')

const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', 'The file is larger than an upload may be')

function pathField(value: unknown, isTruncated: boolean, previous: string | undefined): string {
  if (previous !== undefined) throw new AppError('VALIDATION_ERROR', 'The field `path` is there twice')
  const parsed = ClientPath.safeParse(value)
  if (isTruncated || !parsed.success) throw new AppError('VALIDATION_ERROR', 'The field `path` is too long')
  return parsed.data
}

async function nextPart(parts: AsyncIterator<Multipart>): Promise<IteratorResult<Multipart>> {
  try {
    return await parts.next()
  } catch (error) {
    throw asRefusal(error)
  }
}

/** What the parser has against a form has a code, or is one of its sentences. */
function asRefusal(error: unknown): unknown {
  if (error instanceof AppError || (error instanceof Error && 'code' in error)) return error
  return new AppError('VALIDATION_ERROR', 'The form is not complete, or not a form', { cause: error })
}
