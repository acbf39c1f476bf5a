import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { oneLine } from '../../text/one-line.ts'
import { allowedBy, listedIn, type ReachableAddresses } from '../../net/reachable-address.ts'
import { pinnedTo, systemAddresses } from './pinned-address.ts'
import { type OutboundHttp, OutboundFailure, type OutboundRequest } from './outbound-http.ts'

export interface PublicHttpOptions extends ReachableAddresses {
  timeoutMs?: number
  /** Defaults to the system resolver; replaced in tests. */
  addressesOf?: (host: string) => Promise<string[]>
}

const lookUpMs = 5_000
const maxAnswerBytes = 4_096
const maxHeaderBytes = 8_192
const ports = new Set(['', '443', '8443'])

/**
 * Each request uses a new connection to a checked address; the name is not resolved again, so DNS rebinding cannot
 * redirect it. Only TLS, except to addresses the operator has allowed. Ignores proxy environment variables.
 */
export function createPublicHttp(options: PublicHttpOptions): OutboundHttp {
  const { timeoutMs = 10_000, addressesOf = systemAddresses } = options
  const isListed = listedIn(options.allow)
  return {
    async post(request) {
      const url = parseTarget(request.url)
      const host = url.hostname.replace(/^\[|\]$/g, '')
      const addresses = isIP(host) === 0 ? await lookUp(host, addressesOf, Math.min(lookUpMs, timeoutMs)) : [host]
      if (addresses.length === 0) throw new OutboundFailure(`Could not resolve the host ${host}`)
      // All of them: one that is private says whose the name is. The machine's own may have changed since the last request.
      if (!addresses.every(allowedBy(options)))
        throw new OutboundFailure('This address is private or belongs to this server. Use a public address.', {
          isFinal: true
        })
      if (!addresses.every(isListed)) requirePublicForm(url)
      return exchange(url, request, addresses, AbortSignal.timeout(timeoutMs))
    }
  }
}

function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new OutboundFailure('Enter an address like https://host/path', { isFinal: true })
  return url
}

function requirePublicForm({ protocol, port }: URL): void {
  if (protocol !== 'https:') throw new OutboundFailure('The address must start with https://', { isFinal: true })
  if (!ports.has(port)) throw new OutboundFailure('Use port 443 or 8443', { isFinal: true })
}

const lookUp = (host: string, addressesOf: (host: string) => Promise<string[]>, limitMs: number): Promise<string[]> =>
  withTimeLimit(addressesOf(host), limitMs).catch(() => {
    throw new OutboundFailure(`Could not resolve the host ${host}`)
  })

function exchange(
  url: URL,
  { headers, body }: OutboundRequest,
  addresses: readonly string[],
  signal: AbortSignal
): Promise<{ status: number; text: string }> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      agent: false,
      lookup: pinnedTo(addresses),
      maxHeaderSize: maxHeaderBytes,
      signal,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'panel-notifications' }
    })
    const fail = (error: unknown) => {
      request.destroy()
      reject(new OutboundFailure(wordsOf(error, signal)))
    }
    request.once('error', fail)
    // On a protocol switch there is no response and no error event.
    request.once('close', () => fail(undefined))
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      const chunks: Buffer[] = []
      let size = 0
      const finish = () => {
        resolve({ status, text: oneLine(Buffer.concat(chunks).toString('utf8'), 300) })
        request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, maxAnswerBytes - size))
        size += chunk.length
        if (size >= maxAnswerBytes) finish()
      })
      response.once('end', finish)
      response.once('error', fail)
    })
    request.end(body)
  })
}

function wordsOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'No response in time'
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'HPE_HEADER_OVERFLOW') return 'The response headers are too large'
  if (/CERT|TLS|SSL|SIGNED|ALTNAME/.test(code)) return `The certificate is not trusted (${code})`
  return `No response (${code || 'connection closed'})`
}
