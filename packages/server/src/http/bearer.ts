import type { FastifyRequest } from 'fastify'

export function bearerOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim()
}
