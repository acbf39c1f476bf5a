import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { pipeline, type Readable, type Writable } from 'node:stream'
import { deserialize } from 'node:v8'
import { readFrame, toFrame } from './frame.ts'
import type { ErrorCodec } from './verb.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Sent after the arguments; destroyed if it is not read to its end. */
  input?: Readable | undefined
  /** Time until the response starts; leave out if an upload comes first. */
  timeoutMs?: number | undefined
}

/** A response that starts while the caller is still sending. */
export interface Conversation {
  value: unknown
  input: Writable
  stream: Readable
}

export interface VerbClient {
  /** Resolves with the verb's result. Rejects with the verb's error, or with `unavailable` if nothing answers. */
  ask(verb: string, args: readonly unknown[], options?: CallOptions): Promise<unknown>
  converse(verb: string, args: readonly unknown[], options?: Omit<CallOptions, 'input'>): Promise<Conversation>
  close(): void
}

interface ClientOptions {
  /** Of the socket; asked for again with each call. */
  path: string | (() => Promise<string>)
  errors: ErrorCodec
  unavailable: (cause: unknown) => Error
}

interface Answer {
  outgoing: ClientRequest
  incoming: IncomingMessage
  content: { error: unknown } | { value: unknown; isStreamed: boolean } | null
}

export function createVerbClient({ path, errors, unavailable }: ClientOptions): VerbClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 8 })

  const exchange = async (
    verb: string,
    args: readonly unknown[],
    options: CallOptions,
    send: (outgoing: ClientRequest, frame: Buffer) => void
  ): Promise<Answer> => {
    const { signal, input, timeoutMs } = options
    const frame = toFrame(Buffer.from(JSON.stringify(args)))
    const socketPath =
      typeof path === 'string'
        ? path
        : await path().catch((error: unknown) => {
            input?.destroy()
            throw error
          })
    const outgoing = request({ socketPath, path: `/${verb}`, method: 'POST', agent })
    // When either end of the upload fails, the other one is destroyed with the same error.
    let hasFailed = false
    let sourceError: Error | undefined
    input?.once('error', (error) => {
      if (!hasFailed) sourceError = error
    })
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => outgoing.destroy(), timeoutMs)
    const unlisten = abortWith(outgoing, signal)
    try {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve)
        outgoing.on('error', (error) => {
          hasFailed = true
          reject(error)
        })
        send(outgoing, frame)
      })
      return { outgoing, incoming, content: deserialize(await readFrame(incoming)) as Answer['content'] }
    } catch (error) {
      outgoing.destroy()
      signal?.throwIfAborted()
      if (sourceError) throw sourceError
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
    // A bug in the panel; the other process has logged the details.
    throw new Error(`The other process ${incoming.statusCode === 400 ? 'rejected' : 'failed in'} ${verb}`)
  }

  return {
    async ask(verb, args, options = {}) {
      const { input } = options
      const answer = await exchange(verb, args, options, (outgoing, frame) => {
        if (!input) return void outgoing.end(frame)
        outgoing.write(frame)
        pipeline(input, outgoing, () => {}) // errors surface in the call itself
      })
      try {
        const { value, isStreamed } = valueOf(verb, answer)
        if (isStreamed) return { ...(value as object), stream: cancellingStream(answer, options.signal) }
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
      return { value, input: answer.outgoing, stream: cancellingStream(answer, options.signal) }
    },
    close: () => agent.destroy()
  }
}

function cancellingStream({ incoming, outgoing }: Answer, signal: AbortSignal | undefined): Readable {
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
