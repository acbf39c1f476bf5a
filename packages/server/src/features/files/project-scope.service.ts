import type { FastifyRequest } from 'fastify'
import { sessionOf } from '../../http/access.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'

/** Whose files: the caller's, of one project; and where the call came from. */
export interface ProjectScope {
  userId: string
  projectId: string
  origin: AuditOrigin
}

/** Of a route below `/api/files/:id`. */
export const projectScopeOf = (request: FastifyRequest): ProjectScope => ({
  userId: sessionOf(request).userId,
  projectId: (request.params as { id: string }).id,
  origin: request
})
