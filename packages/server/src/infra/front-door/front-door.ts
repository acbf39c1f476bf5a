import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { checkServerIdentity, type TLSSocket } from 'node:tls'

interface FrontDoorQuestion {
  /** The proxy's own address: never one that a name leads to. */
  address: string
  port: number
  protocol: 'http' | 'https'
  hostname: string
  path: string
  method: 'GET' | 'HEAD'
  userAgent: string
  /** More of the body is not read; with 0 nothing of it. */
  maxBytes: number
  timeoutMs: number
}

export interface FrontDoorAnswer {
  /** Why there is no answer. PROXY_AWAY and CHECKER_DELAYED say nothing of the site. */
  failure: 'CONNECTION_LOST' | 'TIMEOUT' | 'TLS_FAILED' | 'PROXY_AWAY' | 'CHECKER_DELAYED' | null
  status: number | null
  ms: number | null
  /** As text, whatever it is; what is no text has no text that is looked for. */
  body: string
  certificate: { validFrom: Date; validTo: Date; isForName: boolean } | null
}

/** So late after its time limit a question ends only where this process was held up itself. */
const heldUpMs = 2_000

// Each question has a connection of its own, as a visitor who comes for the first time has, and no session of TLS from before.
const agents = {
  http: new HttpAgent({ keepAlive: false }),
  https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 })
}

/** Asks for a page of a site by way of the proxy, as a visitor would. Redirects are not followed. Never rejects. */
export function probeFrontDoor(question: FrontDoorQuestion): Promise<FrontDoorAnswer> {
  const { address, port, protocol, hostname, path, method, userAgent, maxBytes, timeoutMs } = question
  const started = performance.now()
  return new Promise((resolve) => {
    let isConnected = false
    let isShaken = protocol === 'http'
    let certificate: FrontDoorAnswer['certificate'] = null
    const chunks: Buffer[] = []
    let isDone = false
    const finish = (failure: FrontDoorAnswer['failure'], response?: IncomingMessage) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      const { statusCode: status = null, headers = {} } = response ?? {}
      const ms = failure === null ? Math.round(performance.now() - started) : null
      resolve({ failure, status, ms, certificate, body: decode(Buffer.concat(chunks), headers['content-type']) })
      requested.destroy()
    }
    const lost = () => (!isConnected ? 'PROXY_AWAY' : isShaken ? 'CONNECTION_LOST' : 'TLS_FAILED')
    const timer = setTimeout(() => {
      const isHeldUp = performance.now() - started > timeoutMs + heldUpMs
      finish(isHeldUp ? 'CHECKER_DELAYED' : isConnected && isShaken ? 'TIMEOUT' : 'PROXY_AWAY')
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
        connection: 'close'
      }
    }
    // Whose certificate it is and whether it is good for the name is for the check to judge, and not a reason to see nothing.
    const requested =
      protocol === 'http'
        ? requestHttp({ ...options, agent: agents.http })
        : requestHttps({ ...options, agent: agents.https, servername: hostname, rejectUnauthorized: false })
    requested.on('socket', (socket) => {
      socket.on('connect', () => (isConnected = true))
      socket.on('secureConnect', () => {
        isShaken = true
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
    requested.on('error', () => finish(lost()))
    requested.on('close', () => finish(lost()))
    requested.end()
  })
}

function certificateOf(socket: TLSSocket, hostname: string): FrontDoorAnswer['certificate'] {
  const peer = socket.getPeerCertificate()
  const [validFrom, validTo] = [new Date(peer.valid_from), new Date(peer.valid_to)]
  if (Number.isNaN(validFrom.getTime()) || Number.isNaN(validTo.getTime())) return null
  return { validFrom, validTo, isForName: checkServerIdentity(hostname, peer) === undefined }
}

/** By the charset that the answer names; what it does not know or what is broken reads as UTF-8 with replacement characters. */
function decode(body: Buffer, contentType: string | undefined): string {
  if (body.length === 0) return ''
  const charset = /charset="?([\w-]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body) // No charset of that name.
  }
}
