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
import { askDatabaseAdmin } from './database-admin-request.service.ts'
import { answeredHeaders, passedOnHeaders } from './database-admin-headers.policy.ts'

/** Of the requests that this process passes on. A browser asks for a page's files together; a query of hours must not take the place of everybody else. */
const limits = { perKey: 8, total: 24, what: 'requests to the database administration' }

/** The web administration of databases behind a session of the panel: requests and answers stream through, headers by choice. */
export function databaseAdminRoutes(app: App, deps: Dependencies): void {
  const limit = createConcurrencyLimit(limits)
  // Forms of a browser, and uploads. Scoped to these routes, which ask where a form comes from.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { bodyLimit: maxRequestBytes }, (_request, body, done) => done(null, body))

  const passOn = async (request: FastifyRequest, reply: FastifyReply) => {
    if (Number(request.headers['content-length'] ?? 0) > maxRequestBytes) throw tooLarge()
    const session = sessionOf(request)
    const client = signalOfClient(reply)
    try {
      await limit.run(session.userId, async () => {
        const hasBody = request.body !== undefined
        const answer = await askDatabaseAdmin(
          deps,
          { method: request.method, path: request.url, headers: passedOnHeaders(request.headers, session), hasBody },
          { signal: client.signal, ...(hasBody ? { input: limited(request.body as Readable) } : {}) }
        )
        const headers = answeredHeaders(answer.headers, { isSecure: areCookiesSecure(deps, request) })
        void reply.code(answer.status).headers(headers).send(answer.stream)
        await finished(answer.stream).catch(() => {}) // Cut off, on either side: so is the answer.
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
  // Its own files come from the same address, by query.
  app.get('/adminer/', options, passOn)
  app.post('/adminer/', options, passOn)
}

function limited(body: Readable): Readable {
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
  new AppError('PAYLOAD_TOO_LARGE', 'The web administration takes 32 MB at once; import larger files with a client')
