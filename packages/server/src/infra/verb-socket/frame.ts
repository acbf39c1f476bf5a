import type { Readable } from 'node:stream'

/** Maximum size of arguments and of results. Larger data follows as a stream. */
const maxFrameBytes = 32 * 2 ** 20
const lengthBytes = 4

class FrameError extends Error {}

export function toFrame(content: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

/** Reads one message from a stream and leaves the rest unread. Rejects with FrameError if it is incomplete. */
export async function readFrame(stream: Readable): Promise<Buffer> {
  const length = (await readBytes(stream, lengthBytes)).readUInt32BE()
  if (length > maxFrameBytes) throw new FrameError('message too long')
  return length === 0 ? Buffer.alloc(0) : readBytes(stream, length)
}

/** Reads in parts, because a stream buffers less than a long message. */
async function readBytes(stream: Readable, count: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let left = count; left > 0;) {
    const part = (stream.read(Math.min(left, Math.max(1, stream.readableLength))) ?? undefined) as Buffer | undefined
    if (part === undefined) {
      if (stream.readableEnded || stream.destroyed) throw new FrameError('incomplete message')
      await untilReadableOrEnded(stream)
    } else {
      parts.push(part)
      left -= part.length
    }
  }
  return Buffer.concat(parts)
}

function untilReadableOrEnded(stream: Readable): Promise<void> {
  const events = ['readable', 'end', 'close', 'error']
  return new Promise((resolve) => {
    const settle = () => {
      for (const event of events) stream.off(event, settle)
      resolve()
    }
    for (const event of events) stream.on(event, settle)
  })
}
