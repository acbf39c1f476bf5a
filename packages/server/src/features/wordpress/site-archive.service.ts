import { Readable, pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { readStaged } from '../../infra/staging/staging.ts'
import { dumpName } from './site-layout.policy.ts'

/** A tar.gz of a file and all that `tree`, a whole tar, has. Read as it is sent; an error of any part destroys it. */
export function siteArchive(dump: { path: string; size: number }, tree: Readable): Readable {
  async function* both() {
    yield* entry(dump)
    yield* tree as AsyncIterable<Buffer>
  }
  // Whoever reads it hears of the error.
  return pipeline(Readable.from(both(), { objectMode: false }), createGzip(), () => {})
}

// Two empty blocks end an archive; here they end only the whole.
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
