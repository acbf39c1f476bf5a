import { z } from 'zod'
import { AuditCheck, AuditList, AuditQuery, AuditVerifyQuery, OwnAuditQuery } from '@panel/contract/audit'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionAccess, sessionOf } from '../../http/access.ts'
import { sendStream } from '../../http/send-stream.ts'
import { exportAudit, searchAudit, searchOwnAudit } from './audit.service.ts'
import { verifyPart } from './partial-verification.service.ts'

const tags = ['Audit']

export function auditRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/audit',
    {
      config: { access: requireRole('ADMIN'), compressed: true, admission: 'large' },
      schema: {
        tags,
        operationId: 'listAuditEntries',
        summary: 'List audit entries, newest first',
        description:
          'For an ADMIN: who did what to which resource, and from which address. A hash chain detects changed and removed entries ' +
          '(`verifyAuditLog`). `format=csv` returns a file with all matching entries.',
        querystring: AuditQuery,
        answerHeaders: ['Content-Disposition'],
        response: {
          200: { content: { 'application/json': { schema: AuditList }, 'text/csv': { schema: z.string() } } }
        }
      }
    },
    async (request, reply) => {
      const { format, ...query } = request.query
      if (format === 'json') return searchAudit(deps, request.query)
      const csv = await exportAudit(deps, query)
      void reply.type('text/csv; charset=utf-8').header('Content-Disposition', 'attachment; filename="audit.csv"')
      await sendStream(reply, csv)
      return reply
    }
  )
  app.get(
    '/api/audit/verify',
    {
      config: { access: requireRole('ADMIN'), admission: 'large' },
      schema: {
        tags,
        operationId: 'verifyAuditLog',
        summary: 'Verify the hash chain of the audit log, a few thousand entries at a time',
        description:
          'Detects entries that were changed or removed with write access to the database alone. To detect removal of the latest entries, ' +
          'pass the `checkedTo` of an earlier check as `after`. Each request checks a part: repeat it with `after=<checkedTo>` until ' +
          '`checkedTo` is the latest entry. Use `./panel audit verify` to check archives.',
        querystring: AuditVerifyQuery,
        response: { 200: AuditCheck }
      }
    },
    async (request) => verifyPart(deps, request.query.after)
  )
  app.get(
    '/api/audit/me',
    {
      config: { access: sessionAccess, compressed: true },
      schema: {
        tags,
        operationId: 'listOwnAuditEntries',
        summary: 'List audit entries of your account, newest first',
        description: 'Includes what others did to your account, such as an ADMIN.',
        querystring: OwnAuditQuery,
        response: { 200: AuditList }
      }
    },
    async (request) => searchOwnAudit(deps, sessionOf(request).userId, request.query)
  )
}
