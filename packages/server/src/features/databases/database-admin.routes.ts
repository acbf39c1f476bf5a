import { type Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { signalOfClient } from '../../http/client-gone.ts'
import { areCookiesSecure } from '../../http/session.ts'
import { maxRequestBytes } from '../../infra/database-admin/database-admin.ts'
import { requestDatabaseAdmin } from './database-admin-request.service.ts'
import { forwardedResponseHeaders, forwardedRequestHeaders } from './database-admin-headers.policy.ts'

/** Browsers load a page's files in parallel; hour-long queries must not take every slot. */
const limits = { perKey: 8, total: 24, what: 'requests to Adminer' }

/** Proxies Adminer behind a panel session. Bodies are streamed, headers are allowlisted. */
export function databaseAdminRoutes(app: App, deps: Dependencies): void {
  const limit = createConcurrencyLimit(limits)
  // Accepts form posts and uploads. Scoped to these routes, which check the origin of forms.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { bodyLimit: maxRequestBytes }, (_request, body, done) => done(null, body))

  const proxy = async (request: FastifyRequest, reply: FastifyReply) => {
    if (Number(request.headers['content-length'] ?? 0) > maxRequestBytes) throw tooLarge()
    const session = sessionOf(request)
    const client = signalOfClient(reply)
    try {
      await limit.run(session.userId, async () => {
        const hasBody = request.body !== undefined
        const answer = await requestDatabaseAdmin(
          deps,
          {
            method: request.method,
            path: request.url,
            headers: forwardedRequestHeaders(request.headers, session),
            hasBody
          },
          { signal: client.signal, ...(hasBody ? { input: limitBody(request.body as Readable) } : {}) }
        )
        const headers = forwardedResponseHeaders(answer.headers, { isSecure: areCookiesSecure(deps, request) })
        void reply.code(answer.status).headers(headers).send(answer.stream)
        await finished(answer.stream).catch(() => {}) // disconnected on either side
      })
    } finally {
      client.done()
    }
    return reply
  }
  const options = {
    config: { access: sessionAccess, scope: 'session', admission: 'apart' } as const,
    bodyLimit: maxRequestBytes,
    schema: { hide: true }
  }
  app.get('/adminer/', options, proxy)
  app.post('/adminer/', options, proxy)
}

function limitBody(body: Readable): Readable {
  let bytes = 0
  const counting = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      if (bytes > maxRequestBytes) done(tooLarge())
      else done(null, chunk)
    }
  })
  return body.pipe(counting)
}

const tooLarge = () =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    'Adminer accepts up to 32 MB per request. Import larger files with a database client.'
  )
