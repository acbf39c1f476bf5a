import { z } from 'zod'
import { Id } from '@panel/contract/common'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { sendArchive } from '../../http/send-archive.ts'
import { exportDeletedMailbox, exportMailbox } from './mailbox-export.service.ts'

// Requires the full scope: contains all mail of a mailbox.
const config = { access: sessionAccess, scope: 'full', admission: 'apart' } as const
const binary = z.string().meta({ format: 'binary' })
const schema = {
  tags: ['Mail'],
  params: z.object({ id: Id }),
  errors: ['MAIL_UNAVAILABLE'],
  answerHeaders: ['Content-Disposition'],
  response: { 200: { content: { 'application/gzip': { schema: binary } } } }
} as const

export function mailboxExportRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mailboxes/:id/export',
    {
      config,
      schema: {
        ...schema,
        operationId: 'exportMailbox',
        summary: 'Download a mailbox as tar.gz',
        description:
          'A Maildir (Maildir++), which most mail servers and clients can read: every message as stored, with flags, dates and folders. ' +
          'Messages that arrive during the export may be missing. You can run two exports at once; a third gets 409 CONFLICT.',
        errors: [...schema.errors, 'CONFLICT']
      }
    },
    async (request, reply) =>
      sendArchive(reply, await exportMailbox(deps, request, sessionOf(request).userId, request.params.id))
  )
  app.get(
    '/api/mail/deleted-mailboxes/:id/export',
    {
      config,
      schema: {
        ...schema,
        operationId: 'exportDeletedMailbox',
        summary: 'Download a deleted mailbox as tar.gz, while it can be restored',
        errors: [...schema.errors, 'CONFLICT']
      }
    },
    async (request, reply) =>
      sendArchive(reply, await exportDeletedMailbox(deps, request, sessionOf(request).userId, request.params.id))
  )
}
