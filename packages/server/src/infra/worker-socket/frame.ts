import type { Readable } from 'node:stream'

/** Of the arguments of a call, and of its answer. What is larger comes behind it, as a stream. */
const maxFrameBytes = 32 * 2 ** 20
const lengthBytes = 4

/** What was sent is no call, or no answer. */
class FrameError extends Error {}

/** A message of known length, that a stream may follow. */
export function toFrame(content: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

/** Takes one message off a stream, of which what follows it can be read afterwards. Rejects with FrameError where it breaks off. */
export async function readFrame(stream: Readable): Promise<Buffer> {
  const length = (await readBytes(stream, lengthBytes)).readUInt32BE()
  if (length > maxFrameBytes) throw new FrameError('too long')
  return length === 0 ? Buffer.alloc(0) : readBytes(stream, length)
}

/** A stream keeps less than a long message before it wants to be read: so it is taken in parts. */
async function readBytes(stream: Readable, count: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let left = count; left > 0;) {
    const part = (stream.read(Math.min(left, Math.max(1, stream.readableLength))) ?? undefined) as Buffer | undefined
    if (part === undefined) {
      if (stream.readableEnded || stream.destroyed) throw new FrameError('it breaks off')
      await readableOrOver(stream)
    } else {
      parts.push(part)
      left -= part.length
    }
  }
  return Buffer.concat(parts)
}

function readableOrOver(stream: Readable): Promise<void> {
  const events = ['readable', 'end', 'close', 'error']
  return new Promise((resolve) => {
    const settle = () => {
      for (const event of events) stream.off(event, settle)
      resolve()
    }
    for (const event of events) stream.on(event, settle)
  })
}
