import type { Readable } from 'node:stream'
import { Readable as ReadableStream } from 'node:stream'
import type { FastifyReply } from 'fastify'

const idleMs = 120_000

export const endWhenIdle = (reply: FastifyReply): void => void reply.raw.setTimeout(idleMs, () => reply.raw.destroy())

/**
 * Sends a stream and resolves when it is closed: sent completely, or the client is gone. HEAD gets the headers only.
 */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<void> {
  endWhenIdle(reply)
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  if (reply.request.method === 'HEAD') {
    stream.destroy()
    void reply.send(ReadableStream.from([]))
  } else {
    void reply.send(stream)
  }
  await closed
}
