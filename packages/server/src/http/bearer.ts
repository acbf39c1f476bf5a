import type { FastifyRequest } from 'fastify'

/** The text of `Authorization: Bearer …`; undefined when the header is absent or of another kind. */
export function bearerOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim()
}
