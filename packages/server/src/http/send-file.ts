import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'
import { byteRange } from './byte-range.ts'
import { attachment } from './content-disposition.ts'
import { entityTag, isAlreadyHeld, isSamePart } from './entity-tag.ts'
import { sendStream } from './send-stream.ts'

/** A file that stays open until it is sent. */
interface SendableFile {
  name: string
  size: number
  mtime: Date
  /** Inclusive. */
  stream(range: { start: number; end: number }): Readable
}

/** Resolves when the file is sent or the transfer was aborted. */
export type SendFile = (file: SendableFile) => Promise<void>

/** Sends the file or the requested range (RFC 9110 §14), or 304 if the client's copy is current. */
export async function sendFile(reply: FastifyReply, file: SendableFile, now: Date): Promise<void> {
  const body = answerWith(reply, file, now)
  await (body ? sendStream(reply, body) : reply.send())
}

/** Sets status and headers; undefined if there is no body. */
function answerWith(reply: FastifyReply, file: SendableFile, now: Date): Readable | undefined {
  const { name, size, mtime } = file
  const { headers, method } = reply.request
  const tag = entityTag({ size, mtime }, now)
  void reply.headers({ 'Accept-Ranges': 'bytes', ETag: tag, 'Last-Modified': mtime.toUTCString() })
  if (isAlreadyHeld(headers['if-none-match'], tag)) {
    void reply.code(304)
    return undefined
  }
  const wanted =
    method === 'GET' && isSamePart(headers['if-range'] as string | undefined, tag) ? headers.range : undefined
  const range = byteRange(wanted, size)
  if (range === 'unsatisfiable') {
    void reply.header('Content-Range', `bytes */${size}`)
    throw new AppError('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes. Request a range within them.`)
  }
  if (range) void reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  const length = range ? range.end - range.start + 1 : size
  void reply.type('application/octet-stream').headers({
    'Content-Length': length,
    'Content-Disposition': attachment(name)
  })
  if (length === 0) return Readable.from([])
  return exactly(length, file.stream(range ?? { start: 0, end: size - 1 }))
}

/** Fails if the file became shorter than announced, so that the client does not take it for complete. */
function exactly(length: number, source: Readable): Readable {
  let left = length
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(null, chunk)
    },
    flush: (done) => done(left === 0 ? null : new Error('the file was truncated while it was sent'))
  })
  // The consumer of the stream handles the error.
  return pipeline(source, counted, () => {})
}
