import { AuditList, AuditQuery, OwnAuditQuery } from '@panel/contract/audit'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionAccess, sessionOf } from '../../http/access.ts'
import { searchAudit, searchOwnAudit } from './audit.service.ts'

const tags = ['Audit']

export function auditRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/audit',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags,
        operationId: 'listAuditEntries',
        summary: 'The audit log, newest first',
        querystring: AuditQuery,
        response: { 200: AuditList }
      }
    },
    async (request) => searchAudit(deps, request.query)
  )
  app.get(
    '/api/audit/me',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'listOwnAuditEntries',
        summary: 'What you did and what was done to your account, newest first',
        querystring: OwnAuditQuery,
        response: { 200: AuditList }
      }
    },
    async (request) => searchOwnAudit(deps, sessionOf(request).userId, request.query)
  )
}
