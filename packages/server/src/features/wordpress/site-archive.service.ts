import { Readable, pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { readStaged } from '../../infra/staging/staging.ts'
import { dumpName } from './site-layout.policy.ts'

/** Streams a tar.gz of the dump and of `tree`, a complete tar. An error of either destroys the stream. */
export function siteArchive(dump: { path: string; size: number }, tree: Readable): Readable {
  async function* both() {
    yield* entry(dump)
    yield* tree as AsyncIterable<Buffer>
  }
  return pipeline(Readable.from(both(), { objectMode: false }), createGzip(), () => {})
}

// A tar ends with two empty blocks, which must not appear between the two parts.
const endLength = 1024

async function* entry({ path, size }: { path: string; size: number }): AsyncGenerator<Buffer> {
  const tar = pack()
  const content = readStaged(path)
  const target = tar.entry({ name: dumpName, size, mode: 0o600, mtime: new Date() }, (error) =>
    error ? tar.destroy(error) : tar.finalize()
  )
  pipeline(content, target, (error) => error && tar.destroy(error))
  let buffer: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of tar as AsyncIterable<Buffer>) {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
      if (buffer.length <= endLength) continue
      yield buffer.subarray(0, -endLength)
      buffer = buffer.subarray(-endLength)
    }
  } finally {
    content.destroy()
  }
}
