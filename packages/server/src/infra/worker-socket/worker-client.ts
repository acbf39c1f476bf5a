import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { pipeline, type Readable, type Writable } from 'node:stream'
import { deserialize } from 'node:v8'
import { readFrame, toFrame } from './frame.ts'
import type { ErrorCodec } from './verb.ts'

export interface CallOptions {
  /** Gives the call up. */
  signal?: AbortSignal | undefined
  /** Goes behind the arguments; it is destroyed where the worker does not take it to its end. */
  input?: Readable | undefined
  /** Until the answer begins; none where somebody's upload goes before it. */
  timeoutMs?: number | undefined
}

/** An answer that begins while the caller may still say something. */
export interface Conversation {
  value: unknown
  /** What the caller still says; to be ended, or destroyed with the stream. */
  input: Writable
  /** Destroying it gives the call up. */
  stream: Readable
}

/** A process that does for this one what it has no right to do. */
export interface WorkerClient {
  /** Resolves with what the verb does. Rejects with what it rejects with, or with `unavailable` where there is no worker. */
  ask(verb: string, args: readonly unknown[], options?: CallOptions): Promise<unknown>
  converse(verb: string, args: readonly unknown[], options?: Omit<CallOptions, 'input'>): Promise<Conversation>
  close(): void
}

interface ClientOptions {
  /** Of the worker's socket. */
  path: string
  errors: ErrorCodec
  /** What a call rejects with while there is no worker, or where it ends meanwhile. */
  unavailable: (cause: unknown) => Error
}

interface Answer {
  outgoing: ClientRequest
  incoming: IncomingMessage
  content: { error: unknown } | { value: unknown; isStreamed: boolean } | null
}

/** Connections stay open between calls. */
export function createWorkerClient({ path, errors, unavailable }: ClientOptions): WorkerClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 8 })

  const exchange = async (
    verb: string,
    args: readonly unknown[],
    options: CallOptions,
    send: (outgoing: ClientRequest, frame: Buffer) => void
  ): Promise<Answer> => {
    const { signal, input, timeoutMs } = options
    const frame = toFrame(Buffer.from(JSON.stringify(args)))
    const outgoing = request({ socketPath: path, path: `/${verb}`, method: 'POST', agent })
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => outgoing.destroy(), timeoutMs)
    const unlisten = abortWith(outgoing, signal)
    try {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve)
        outgoing.on('error', reject)
        send(outgoing, frame)
      })
      return { outgoing, incoming, content: deserialize(await readFrame(incoming)) as Answer['content'] }
    } catch (error) {
      outgoing.destroy()
      signal?.throwIfAborted()
      // Its own error, where it is the upload that has broken off.
      if (input?.errored) throw input.errored
      input?.destroy()
      throw unavailable(error)
    } finally {
      clearTimeout(timer)
      unlisten()
    }
  }

  const valueOf = (verb: string, { outgoing, incoming, content }: Answer): { value: unknown; isStreamed: boolean } => {
    if (content && 'isStreamed' in content) return content
    outgoing.destroy()
    if (content) throw errors.decode(content.error)
    // A defect of ours: what is not for a caller to know, the worker has logged.
    throw new Error(`The worker ${incoming.statusCode === 400 ? 'refuses' : 'failed in'} ${verb}`)
  }

  return {
    async ask(verb, args, options = {}) {
      const { input } = options
      const answer = await exchange(verb, args, options, (outgoing, frame) => {
        if (!input) return void outgoing.end(frame)
        outgoing.write(frame)
        pipeline(input, outgoing, () => {}) // Told by the call itself.
      })
      try {
        const { value, isStreamed } = valueOf(verb, answer)
        if (isStreamed) return { ...(value as object), stream: releasing(answer, options.signal) }
        if (input && !input.readableEnded) answer.outgoing.destroy()
        else answer.incoming.resume()
        return value
      } finally {
        if (input && !input.readableEnded) input.destroy()
      }
    },
    async converse(verb, args, options = {}) {
      const answer = await exchange(verb, args, options, (outgoing, frame) => void outgoing.write(frame))
      const { value } = valueOf(verb, answer)
      return { value, input: answer.outgoing, stream: releasing(answer, options.signal) }
    },
    close: () => agent.destroy()
  }
}

/** Who destroys the stream gives the call up. */
function releasing({ incoming, outgoing }: Answer, signal: AbortSignal | undefined): Readable {
  const unlisten = abortWith(outgoing, signal)
  incoming.once('close', () => {
    unlisten()
    if (!incoming.readableEnded) outgoing.destroy()
  })
  return incoming
}

function abortWith(outgoing: ClientRequest, signal: AbortSignal | undefined): () => void {
  if (!signal) return () => {}
  const abort = () => void outgoing.destroy()
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}
