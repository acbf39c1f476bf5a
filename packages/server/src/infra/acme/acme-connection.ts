// acme-client's X.509 library needs reflect-metadata to be loaded first.
import 'reflect-metadata'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent, request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { axios } from 'acme-client'
import { AcmeError } from './acme.ts'
import { cleanMessage, problemOfResponse } from './acme-problem.ts'

export type AcmeCall = <T>(call: () => Promise<T>) => Promise<T>

interface RequestContext {
  agent: Agent
  timeoutMs: number
  signal: AbortSignal | undefined
}

type Adapter = Extract<typeof axios.defaults.adapter, (...args: never[]) => unknown>

const requestContexts = new AsyncLocalStorage<RequestContext>()

const maxResponseBytes = 1024 * 1024

/** Shorter than the CA's keep-alive, so that no connection is reused while the CA closes it. */
const idleConnectionMs = 5_000

// acme-client has one axios instance per process; this is the only place that touches it. Its transport is replaced
// because it sleeps for the whole Retry-After (hours), drops the cause of a connection failure and the ACME error type,
// follows redirects and cannot be aborted. AsyncLocalStorage carries the agent and the signal of the request.
axios.defaults.adapter = (async (config) => {
  const context = requestContexts.getStore()
  if (!context) throw new Error('acme-client sent a request outside of createAcmeConnection')
  const { status, headers, text } = await send(context, {
    url: String(config.url),
    method: String(config.method).toUpperCase(),
    headers: config.headers.toJSON() as Record<string, string>,
    body: typeof config.data === 'string' ? config.data : undefined
  })
  // acme-client retries badNonce itself with the nonce of this response.
  if (status >= 400 && !text.includes('urn:ietf:params:acme:error:badNonce'))
    throw problemOfResponse(status, headers, parsed(text), new Date())
  return { data: text, status, statusText: '', headers, config, request: undefined }
}) satisfies Adapter

/** Connection to one CA. `caPem` replaces the public root certificates. */
export function createAcmeConnection(options: {
  caPem?: string | undefined
  timeoutMs: number
}): (signal?: AbortSignal) => AcmeCall {
  const { caPem, timeoutMs } = options
  const agent = new Agent({ keepAlive: true, timeout: idleConnectionMs, ...(caPem === undefined ? {} : { ca: caPem }) })
  return (signal) => async (call) => {
    try {
      if (signal?.aborted) throw aborted(signal.reason)
      return await requestContexts.run({ agent, timeoutMs, signal }, call)
    } catch (error) {
      if (signal?.aborted) throw aborted(error)
      if (error instanceof AcmeError) throw error
      const words = error instanceof Error ? cleanMessage(error.message) : 'no reason'
      throw new AcmeError('unavailable', `The certificate authority sent an invalid response: ${words}`, {
        cause: error
      })
    }
  }
}

export const aborted = (cause: unknown): AcmeError =>
  new AcmeError('aborted', 'The order was aborted.', cause === undefined ? {} : { cause })

interface HttpRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

interface HttpResponse {
  status: number
  headers: Record<string, string>
  text: string
}

function send(
  { agent, timeoutMs, signal }: RequestContext,
  { url, method, headers, body }: HttpRequest
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let hasResponse = false
    const request = httpsRequest(url, { method, headers, agent, ...(signal ? { signal } : {}) }, (response) => {
      hasResponse = true
      if (response.statusCode === 101) return fail(otherProtocol())
      read(response).then((text) => resolve({ status: response.statusCode ?? 0, headers: flat(response), text }), fail)
    })
    // For the whole exchange; a socket timeout restarts with every byte.
    const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
    request.on('close', () => {
      clearTimeout(timer)
      // Node closes without an error event when the server switches protocols without an 'upgrade' listener.
      if (!hasResponse) fail(otherProtocol())
    })
    request.on('error', fail)
    request.end(body)

    function fail(error: Error) {
      reject(unreachable(url, error))
      request.destroy()
    }
  })
}

const otherProtocol = () => new Error('the server does not speak HTTP')

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxResponseBytes) throw new Error('the response is too large')
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
    return undefined // An HTML page of a proxy; the status is enough.
  }
}

function unreachable(url: string, cause: Error): AcmeError {
  const host = URL.canParse(url) ? new URL(url).host : url
  const text = `Could not reach the certificate authority at ${host}: ${cause.message || String((cause as NodeJS.ErrnoException).code)}`
  return new AcmeError('unavailable', cleanMessage(text), { cause })
}
