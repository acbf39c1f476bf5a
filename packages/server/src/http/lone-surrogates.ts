import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Half a character is a surrogate that stands alone. It has no form in UTF-8: whatever kept it would keep another text than the one that was
 * sent. So no request has one anywhere. JSON can write it as an escape (json-body.ts); in an address, a header and a form it is bytes that are
 * no UTF-8.
 */
export function refuseHalfCharacters(app: FastifyInstance): void {
  // Behind who may and whose it is, and before the body.
  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const query = request.url.indexOf('?')
    if (query !== -1 && !isUtf8Query(request.url.slice(query + 1))) throw refusal('the query', 'is not UTF-8 text')
    for (const [name, value] of Object.entries(request.headers))
      if (encodedHalf.test(String(value))) throw refusal(`the header ${name}`, hasHalf)
  })
}

export const hasHalf = 'has half a character in it'

/** What a refusal says of a member, or of a part of the request. */
export const refusal = (subject: string, message: string, path?: string): AppError =>
  new AppError('VALIDATION_ERROR', `Some values are not valid: ${subject} ${message}`, {
    ...(path === undefined ? {} : { details: [{ path, message }] })
  })

/** Node.js gives the bytes of headers as characters; in an address it takes none that are not ASCII. */
const encodedHalf = /\xed[\xa0-\xbf]/

const escapes = /(?:%[0-9a-f]{2})+/gi

/** A percent sign that begins no escape is one. */
function isUtf8Query(query: string): boolean {
  try {
    for (const [run] of query.matchAll(escapes)) decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}

/** Parsers of forms put this mark in the place of what is no UTF-8. */
const replacement = '\ufffd'

/** Rejects a part of a form whose names or text are no UTF-8: they have come in another form than they were sent. */
export function requireUtf8Part(part: { fieldname: string; filename?: string; value?: unknown }): void {
  for (const text of [part.fieldname, part.filename, part.value])
    if (typeof text === 'string' && text.includes(replacement))
      throw refusal('the form', 'has a name or field that is not UTF-8 text')
}
