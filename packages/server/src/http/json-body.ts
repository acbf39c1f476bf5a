import type { FastifyInstance } from 'fastify'

/**
 * JSON only: Fastify would also take text/plain, which a foreign page can send without a preflight. An empty body is no body,
 * since clients announce JSON on a POST without one.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parse(request, body as string, done)
  })
}
