import type { Readable } from 'node:stream'

/** Lines of a stream. Ends at a line longer than `maxBytes`. */
export async function* readBoundedLines(stream: Readable, maxBytes: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      yield rest.toString('utf8', 0, end)
      rest = rest.subarray(end + 1)
    }
    if (rest.length > maxBytes) return
  }
}
