import type { FastifyRequest } from 'fastify'
import { sessionOf } from '../../http/access.ts'

/** Whose files: the caller's, of one project. */
export interface Place {
  userId: string
  projectId: string
}

/** Of a route below `/api/files/:id`. */
export const placeOf = (request: FastifyRequest): Place => ({
  userId: sessionOf(request).userId,
  projectId: (request.params as { id: string }).id
})
