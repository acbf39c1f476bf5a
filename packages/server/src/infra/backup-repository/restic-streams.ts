import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { PassThrough, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'

/** `close` resolves once every line was read, also if the program did not start. */
export function lines(onLine: (line: string) => void): { stream: Writable; close: () => Promise<void> } {
  const stream = new PassThrough()
  const reader = createInterface({ input: stream })
  reader.on('line', onLine)
  const closed = new Promise<void>((resolve) => reader.once('close', resolve))
  return {
    stream,
    close() {
      stream.end()
      return closed
    }
  }
}

/** Does not end `to`, so that the next attempt can write to it. */
export function passOn(to: Writable): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void (to.write(chunk) ? done() : to.once('drain', done))
  })
}

/** SHA-256 of each regular file of a tar archive that is written to `stream`. */
export function tarChecksums(): { stream: Writable; close: () => Promise<ReadonlyMap<string, string>> } {
  const found = new Map<string, string>()
  const stream = new PassThrough()
  const entries = extract()
  const read = async () => {
    for await (const entry of entries) {
      const hash = createHash('sha256')
      for await (const chunk of entry as AsyncIterable<Buffer>) hash.update(chunk)
      if (entry.header.type === 'file') found.set(`/${entry.header.name}`, hash.digest('hex'))
    }
  }
  const reading = Promise.all([pipeline(stream, entries), read()])
  reading.catch(() => {}) // Reported by close().
  return {
    stream,
    async close() {
      stream.end()
      await reading
      return found
    }
  }
}
