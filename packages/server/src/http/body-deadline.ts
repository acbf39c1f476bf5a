import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take any time as long as bytes keep arriving. */
    slowBody?: boolean
    bodyPace?: BodyPace
  }
}

interface BodyPace {
  spanMs: number
  bytesInSpan: number
}

interface BodyLimits extends BodyPace {
  arrivalMs: number
}

const usual: BodyLimits = { arrivalMs: 120_000, spanMs: 120_000, bytesInSpan: 120 * 1024 }

/**
 * Limits how long a request body may take to arrive. Replaces Node's `requestTimeout`, which cannot differ by route
 * (uploads take longer) and is therefore off.
 */
export function addBodyDeadline(app: FastifyInstance, limits: BodyLimits = usual): void {
  const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout[]>()
  const cut = (request: IncomingMessage) => {
    // Node's own code, so that the response is the same as for Node's timeouts.
    const error = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete) app.server.emit('clientError', error, request.socket)
  }
  const lift = (request: IncomingMessage) => deadlines.get(request)?.forEach(clearTimeout)
  const set = (request: IncomingMessage) => {
    lift(request)
    deadlines.set(request, [setTimeout(cut, limits.arrivalMs, request).unref()])
  }
  const watch = (request: IncomingMessage, { spanMs, bytesInSpan }: BodyPace) => {
    const { socket } = request
    let before = socket.bytesRead
    const checkProgress = () => {
      if (socket.destroyed) return lift(request)
      if (socket.bytesRead - before < bytesInSpan) cut(request)
      before = socket.bytesRead
    }
    deadlines.get(request)!.push(setInterval(checkProgress, spanMs).unref())
  }

  // On the server and not in a hook, because some requests never reach one. Stays active after the response until the
  // body has been drained.
  app.server.prependListener('request', (request: IncomingMessage) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (length === '0' && coding === undefined) return
    set(request)
    request.once('end', () => lift(request))
  })
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    const { slowBody, bodyPace } = routeOptions.config
    if (!deadlines.has(raw)) return
    if (bodyPace) watch(raw, bodyPace)
    if (!slowBody) return
    lift(raw)
    deadlines.set(raw, [])
    watch(raw, limits)
    // Most clients read the response only after sending everything, so the rest gets the usual time limit.
    reply.raw.once('finish', () => {
      if (!raw.complete) set(raw)
    })
  })
}
