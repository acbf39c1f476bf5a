import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Rejects unpaired surrogates, which UTF-8 cannot represent, so that no stored text differs from the one that was sent.
 * JSON can contain them as escapes (json-body.ts); in URLs, headers and forms they are invalid UTF-8.
 */
export function rejectLoneSurrogates(app: FastifyInstance): void {
  // After the route policy and the ownership check, before the body is read.
  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const query = request.url.indexOf('?')
    if (query !== -1 && !isUtf8Query(request.url.slice(query + 1))) throw refusal('the query', 'is not UTF-8 text')
    for (const [name, value] of Object.entries(request.headers))
      if (encodedSurrogate.test(String(value))) throw refusal(`the header ${name}`, loneSurrogate)
  })
}

export const loneSurrogate = 'contains an unpaired surrogate'

/** Error for a member or another part of the request. */
export const refusal = (subject: string, message: string, path?: string): AppError =>
  new AppError('VALIDATION_ERROR', `Some values are not valid: ${subject} ${message}`, {
    ...(path === undefined ? {} : { details: [{ path, message }] })
  })

/** Node.js decodes headers as Latin-1, one character per byte; URLs are ASCII. */
const encodedSurrogate = /\xed[\xa0-\xbf]/

const escapes = /(?:%[0-9a-f]{2})+/gi

/** A percent sign that starts no escape stands for itself. */
function isUtf8Query(query: string): boolean {
  try {
    for (const [run] of query.matchAll(escapes)) decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}

/** Form parsers replace invalid UTF-8 with this character. */
const replacement = '\ufffd'

/** Rejects a form part whose names or text were not valid UTF-8. */
export function requireUtf8Part(part: { fieldname: string; filename?: string; value?: unknown }): void {
  for (const text of [part.fieldname, part.filename, part.value])
    if (typeof text === 'string' && text.includes(replacement))
      throw refusal('the form', 'has a name or field that is not UTF-8 text')
}
