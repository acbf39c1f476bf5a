import type { FastifyRequest } from 'fastify'
import { sessionOf } from '../../http/access.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'

export interface ProjectScope {
  userId: string
  projectId: string
  origin: AuditOrigin
}

export const projectScopeOf = (request: FastifyRequest): ProjectScope => ({
  userId: sessionOf(request).userId,
  projectId: (request.params as { id: string }).id,
  origin: request
})
