import { posix } from 'node:path'
import { pipeline, Readable, Transform } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { byteRange } from '../../http/byte-range.ts'
import { attachment } from '../../http/content-disposition.ts'
import { entityTag, isAlreadyHeld, isSamePart } from '../../http/entity-tag.ts'
import { sendStream } from '../../http/send-stream.ts'
import type { OpenFile } from '../../infra/file-store/file-store.ts'
import { pathToRead } from './client-path.ts'
import { archiving, downloading } from './file-limits.ts'
import { timeOf } from './file-view.ts'
import type { Place } from './place.ts'
import { openProjectTree } from './project-files.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'fileStore' | 'hostHelper' | 'now'>

/** A file as it is, or the part of it that the request asks for (RFC 9110 §14). */
export async function sendFile(deps: Deps, place: Place, said: string, reply: FastifyReply): Promise<void> {
  const { tree } = await openProjectTree(deps, place.userId, place.projectId)
  const path = pathToRead(said)
  await downloading.run(place.userId, async () => {
    const open = await tree.open(path)
    try {
      const body = answerOf(deps.now(), open, reply)
      await (body ? sendStream(reply, body) : reply.send())
    } finally {
      await open.close()
    }
  })
}

/** Sets status and headers; undefined where there is nothing to send. */
function answerOf(now: Date, open: OpenFile, reply: FastifyReply): Readable | undefined {
  const { name, size } = open.file
  const mtime = timeOf(open.file.mtime)
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
  return exactly(length, open.stream(range ?? { start: 0, end: size - 1 }))
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

/** A directory as tar.gz, packed while it is sent. */
export async function sendArchive(deps: Deps, place: Place, said: string, reply: FastifyReply): Promise<void> {
  const { project, tree } = await openProjectTree(deps, place.userId, place.projectId)
  const path = pathToRead(said)
  await archiving.run(place.userId, async () => {
    const tar = await tree.pack(path)
    // What makes a site large is packed already, and the processor is the sites'.
    const archive = pipeline(tar, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
    const name = path === '' ? project.name : posix.basename(path)
    void reply.type('application/gzip').header('Content-Disposition', attachment(`${name}.tar.gz`))
    await sendStream(reply, archive)
  })
}
