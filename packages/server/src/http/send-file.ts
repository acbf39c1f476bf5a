import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'
import { byteRange } from './byte-range.ts'
import { attachment } from './content-disposition.ts'
import { entityTag, isAlreadyHeld, isSamePart } from './entity-tag.ts'
import { sendStream } from './send-stream.ts'

/** A file that is open for as long as it is sent. */
interface SendableFile {
  name: string
  size: number
  mtime: Date
  /** Both ends included. */
  stream(range: { start: number; end: number }): Readable
}

/** Sends a file and resolves when it is done with it. */
export type SendFile = (file: SendableFile) => Promise<void>

/** Sends the file as it is, or the part of it that the request asks for (RFC 9110 §14), or nothing to who has it already. */
export async function sendFile(reply: FastifyReply, file: SendableFile, now: Date): Promise<void> {
  const body = answerWith(reply, file, now)
  await (body ? sendStream(reply, body) : reply.send())
}

/** Sets status and headers; undefined where there is nothing to send. */
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
    throw new AppError('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes; ask for a part of them`)
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

/** Breaks off where a file has become shorter than was announced, so that the client does not take it for whole. */
function exactly(length: number, source: Readable): Readable {
  let left = length
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(null, chunk)
    },
    flush: (done) => done(left === 0 ? null : new Error('the file became shorter while it was sent'))
  })
  // Whoever reads it hears of the error.
  return pipeline(source, counted, () => {})
}
