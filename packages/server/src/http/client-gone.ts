import type { FastifyReply } from 'fastify'

/** Aborts if the client disconnects before the response, to stop useless work. Call `done` when the work has ended. */
export function signalOfClient(reply: FastifyReply): { signal: AbortSignal; done: () => void } {
  const gone = new AbortController()
  const onClose = () => {
    if (!reply.raw.writableEnded) gone.abort(new Error('the client disconnected'))
  }
  reply.raw.once('close', onClose)
  return { signal: gone.signal, done: () => reply.raw.off('close', onClose) }
}
