import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take as long as it needs, if only it keeps coming: whoever sends one holds what it needs here. */
    slowBody?: boolean
    /** Besides the usual limit, so much of the body has to arrive in each span, or all of it: what it takes here is not to be held for long. */
    bodyPace?: BodyPace
  }
}

interface BodyPace {
  spanMs: number
  bytesInSpan: number
}

interface BodyLimits extends BodyPace {
  /** From the first byte of a request to the last of its body. The pace is of bodies that may take longer. */
  arrivalMs: number
}

// 1 KiB/s is slower than any line that a file is sent over.
const usual: BodyLimits = { arrivalMs: 120_000, spanMs: 120_000, bytesInSpan: 120 * 1024 }

/**
 * How long the body of a request may take to arrive. Node knows one such limit for a whole server (`requestTimeout`, which is off for that),
 * and a large upload takes longer than any other request may.
 */
export function addBodyDeadline(app: FastifyInstance, limits: BodyLimits = usual): void {
  const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout[]>()
  const cut = (request: IncomingMessage) => {
    // As Node says it, so that it is answered as Node's own limits are.
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

  // Before the application, and not in a hook: some requests get to none. It holds on after the answer, until the body has been read away.
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
    // Most clients hear the answer only when they have sent all: what nobody wants any more has the usual time to come.
    reply.raw.once('finish', () => {
      if (!raw.complete) set(raw)
    })
  })
}
