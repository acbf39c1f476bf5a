import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { z } from 'zod'

// https://github.com/moby/docker-image-spec/blob/main/spec.md: one image per archive, layers lowest first.
const manifestSchema = z.tuple([z.object({ Layers: z.array(z.string()) })])

/** The files that hold the layers of a `docker save` archive, lowest first. Reads the whole archive. */
export async function layerFiles(archive: Readable): Promise<readonly string[]> {
  let found: readonly string[] | undefined
  const entries = extract()
  const read = async () => {
    for await (const entry of entries) {
      if (entry.header.name === 'manifest.json') found = manifestSchema.parse(await json(entry))[0].Layers
      else entry.resume()
    }
  }
  await Promise.all([pipeline(archive, entries), read()])
  if (found === undefined) throw new Error('The archive of the image has no manifest')
  return found
}

/** The same tar without these files. An error of either side ends both. */
export function withoutFiles(archive: Readable, files: ReadonlySet<string>): Readable {
  const [entries, kept] = [extract(), pack()]
  const copy = async () => {
    for await (const entry of entries) {
      if (files.has(entry.header.name)) entry.resume()
      else await pipeline(entry, kept.entry(entry.header))
    }
    kept.finalize()
  }
  Promise.all([pipeline(archive, entries), copy()]).catch((error: unknown) => kept.destroy(error as Error))
  kept.once('close', () => archive.destroy())
  return Readable.from(kept, { objectMode: false })
}
