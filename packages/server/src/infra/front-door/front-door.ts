import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { checkServerIdentity, type TLSSocket } from 'node:tls'

interface FrontDoorRequest {
  /** The proxy's own address, never the result of a DNS lookup. */
  address: string
  port: number
  protocol: 'http' | 'https'
  hostname: string
  path: string
  method: 'GET' | 'HEAD'
  userAgent: string
  maxBytes: number
  timeoutMs: number
  /** `name=value` pairs. */
  cookies?: readonly string[]
}

export interface FrontDoorAnswer {
  /** Why there is no response. PROXY_AWAY and CHECKER_DELAYED are inconclusive. */
  failure: 'CONNECTION_LOST' | 'TIMEOUT' | 'TLS_FAILED' | 'PROXY_AWAY' | 'CHECKER_DELAYED' | null
  status: number | null
  ms: number | null
  /** Decoded text; binary content decodes to text that no keyword matches. */
  body: string
  /** Target of a redirect, as sent. */
  location: string | null
  /** `name=value` of the cookies that the page sets. */
  cookies: readonly string[]
  certificate: { validFrom: Date; validTo: Date; isForName: boolean } | null
}

/** If the timeout fires this late, the event loop was blocked and the result means nothing. */
const blockedMs = 2_000

// A new connection and no TLS session resumption, like a first-time visitor.
const agents = {
  http: new HttpAgent({ keepAlive: false }),
  https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 })
}

/** Requests a page through the proxy like a visitor. Does not follow redirects. Never rejects. */
export function probeFrontDoor(probe: FrontDoorRequest): Promise<FrontDoorAnswer> {
  const { address, port, protocol, hostname, path, method, userAgent, maxBytes, timeoutMs } = probe
  const started = performance.now()
  return new Promise((resolve) => {
    let isConnected = false
    let isHandshakeDone = protocol === 'http'
    let certificate: FrontDoorAnswer['certificate'] = null
    const chunks: Buffer[] = []
    let isDone = false
    const finish = (failure: FrontDoorAnswer['failure'], response?: IncomingMessage) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      const { statusCode: status = null, headers = {} } = response ?? {}
      const ms = failure === null ? Math.round(performance.now() - started) : null
      const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]!)
      const body = decode(Buffer.concat(chunks), headers['content-type'])
      resolve({ failure, status, ms, certificate, location: headers.location ?? null, cookies, body })
      requested.destroy()
    }
    const connectionFailure = () => (!isConnected ? 'PROXY_AWAY' : isHandshakeDone ? 'CONNECTION_LOST' : 'TLS_FAILED')
    const timer = setTimeout(() => {
      const isHeldUp = performance.now() - started > timeoutMs + blockedMs
      finish(isHeldUp ? 'CHECKER_DELAYED' : isConnected && isHandshakeDone ? 'TIMEOUT' : 'PROXY_AWAY')
    }, timeoutMs)
    const options = {
      host: address,
      port,
      path,
      method,
      maxHeaderSize: 16 * 1024,
      headers: {
        host: hostname,
        'user-agent': userAgent,
        accept: '*/*',
        'accept-encoding': 'identity',
        connection: 'close',
        ...(probe.cookies?.length ? { cookie: probe.cookies.join('; ') } : {})
      }
    }
    // The caller judges the certificate; an invalid one must not hide the response.
    const requested =
      protocol === 'http'
        ? requestHttp({ ...options, agent: agents.http })
        : requestHttps({ ...options, agent: agents.https, servername: hostname, rejectUnauthorized: false })
    requested.on('socket', (socket) => {
      socket.on('connect', () => (isConnected = true))
      socket.on('secureConnect', () => {
        isHandshakeDone = true
        certificate = certificateOf(socket as TLSSocket, hostname)
      })
    })
    requested.on('response', (response) => {
      if (maxBytes === 0 || method === 'HEAD') return finish(null, response)
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, maxBytes - bytes))
        bytes += chunk.length
        if (bytes >= maxBytes) finish(null, response)
      })
      response.on('end', () => finish(response.complete ? null : 'CONNECTION_LOST', response))
      response.on('error', () => finish('CONNECTION_LOST', response))
    })
    requested.on('error', () => finish(connectionFailure()))
    requested.on('close', () => finish(connectionFailure()))
    requested.end()
  })
}

function certificateOf(socket: TLSSocket, hostname: string): FrontDoorAnswer['certificate'] {
  const peer = socket.getPeerCertificate()
  const [validFrom, validTo] = [new Date(peer.valid_from), new Date(peer.valid_to)]
  if (Number.isNaN(validFrom.getTime()) || Number.isNaN(validTo.getTime())) return null
  return { validFrom, validTo, isForName: checkServerIdentity(hostname, peer) === undefined }
}

function decode(body: Buffer, contentType: string | undefined): string {
  if (body.length === 0) return ''
  const charset = /charset="?([\w-]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body) // Unknown charset.
  }
}
