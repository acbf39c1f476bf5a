import type { Readable } from 'node:stream'
import { Readable as ReadableStream } from 'node:stream'
import type { FastifyReply } from 'fastify'

// A client that takes nothing for so long is cut off: what it asked for is held open for it.
const idleMs = 120_000

/** Of an answer that may be more than the kernel takes at once. */
export const endWhenIdle = (reply: FastifyReply): void => void reply.raw.setTimeout(idleMs, () => reply.raw.destroy())

/** Sends a stream and resolves when it has been closed: all of it sent, or the client gone. To HEAD only the headers. */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<void> {
  endWhenIdle(reply)
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  if (reply.request.method === 'HEAD') {
    // The server would read a stream to its end to send nothing of it.
    stream.destroy()
    void reply.send(ReadableStream.from([]))
  } else {
    void reply.send(stream)
  }
  await closed
}
