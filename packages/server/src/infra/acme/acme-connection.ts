// The X.509 library of acme-client needs it to be loaded before.
import 'reflect-metadata'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent, request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { axios } from 'acme-client'
import { AcmeError } from './acme.ts'
import { cleanWords, problemOfResponse } from './acme-problem.ts'

/** Runs one call of the acme-client package. Rejects with AcmeError, whatever the package throws. */
export type Ask = <T>(call: () => Promise<T>) => Promise<T>

interface Conversation {
  agent: Agent
  timeoutMs: number
  signal: AbortSignal | undefined
}

type Adapter = Extract<typeof axios.defaults.adapter, (...args: never[]) => unknown>

const conversations = new AsyncLocalStorage<Conversation>()

/** A chain of ten certificates with room to spare. */
const maxAnswerBytes = 1024 * 1024

/** So that a connection that the authority is about to close is not used again. */
const idleConnectionMs = 5_000

// The package has one HTTP client for the whole process, and this is the one place that touches it. Its own transport is
// replaced, because it sleeps as long as a Retry-After says (hours), up to five times; throws away the reason why an
// authority cannot be reached, and the type of its errors; follows redirects; and cannot be given up. Whose request it is
// (which agent, which signal) comes with the asynchronous context.
axios.defaults.adapter = (async (config) => {
  const conversation = conversations.getStore()
  if (!conversation) throw new Error('A request of acme-client outside of a conversation')
  const { status, headers, text } = await send(conversation, {
    url: String(config.url),
    method: String(config.method).toUpperCase(),
    headers: config.headers.toJSON() as Record<string, string>,
    body: typeof config.data === 'string' ? config.data : undefined
  })
  // The package asks again by itself with the nonce that came with the error.
  if (status >= 400 && !text.includes('urn:ietf:params:acme:error:badNonce'))
    throw problemOfResponse(status, headers, parsed(text), new Date())
  return { data: text, status, statusText: '', headers, config, request: undefined }
}) satisfies Adapter

/** The way to one authority. `caPem` is trusted in place of the public certificate authorities. */
export function createAcmeConnection(options: {
  caPem?: string | undefined
  timeoutMs: number
}): (signal?: AbortSignal) => Ask {
  const { caPem, timeoutMs } = options
  const agent = new Agent({ keepAlive: true, timeout: idleConnectionMs, ...(caPem === undefined ? {} : { ca: caPem }) })
  return (signal) => async (call) => {
    try {
      if (signal?.aborted) throw aborted(signal.reason)
      return await conversations.run({ agent, timeoutMs, signal }, call)
    } catch (error) {
      if (signal?.aborted) throw aborted(error)
      if (error instanceof AcmeError) throw error
      // What the package itself makes of an answer that is no ACME.
      const words = error instanceof Error ? cleanWords(error.message) : 'no reason'
      throw new AcmeError('unavailable', `The certificate authority gave an answer that is not understood: ${words}`, {
        cause: error
      })
    }
  }
}

export const aborted = (cause: unknown): AcmeError =>
  new AcmeError('aborted', 'The order was given up.', cause === undefined ? {} : { cause })

interface Question {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

function send({ agent, timeoutMs, signal }: Conversation, { url, method, headers, body }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const request = httpsRequest(url, { method, headers, agent, ...(signal ? { signal } : {}) }, (response) => {
      isAnswered = true
      if (response.statusCode === 101) return fail(otherProtocol())
      read(response).then((text) => resolve({ status: response.statusCode ?? 0, headers: flat(response), text }), fail)
    })
    // Of the whole exchange; a socket's own time-out starts anew with every byte.
    const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
    request.on('close', () => {
      clearTimeout(timer)
      // Without an error: nobody listens for what Node tells of a change of protocol.
      if (!isAnswered) fail(otherProtocol())
    })
    request.on('error', fail)
    request.end(body)

    function fail(error: Error) {
      reject(unreachable(url, error))
      request.destroy()
    }
  })
}

const otherProtocol = () => new Error('it answers with another protocol than HTTP')

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function flat(response: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(response.headers)
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')])
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // A page of a proxy in between; the status says enough.
  }
}

function unreachable(url: string, cause: Error): AcmeError {
  const host = URL.canParse(url) ? new URL(url).host : url
  const text = `The certificate authority at ${host} cannot be reached: ${cause.message || String((cause as NodeJS.ErrnoException).code)}`
  return new AcmeError('unavailable', cleanWords(text), { cause })
}
