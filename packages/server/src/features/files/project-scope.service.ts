import type { FastifyRequest } from 'fastify'
import { sessionOf } from '../../http/access.ts'

/** Whose files: the caller's, of one project. */
export interface ProjectScope {
  userId: string
  projectId: string
}

/** Of a route below `/api/files/:id`. */
export const projectScopeOf = (request: FastifyRequest): ProjectScope => ({
  userId: sessionOf(request).userId,
  projectId: (request.params as { id: string }).id
})
