import { z } from 'zod'
import {
  AccountRestore,
  AccountRestoreList,
  PlanAccountRestore,
  StartAccountRestore
} from '@panel/contract/account-restores'
import { Id } from '@panel/contract/common'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionOf } from '../../http/access.ts'
import {
  keepAccountRestore,
  planAccountRestore,
  showAccountRestore,
  showAccountRestores,
  startAccountRestore,
  undoAccountRestore
} from './account-restores.service.ts'

// Not for canManageBackups: an older password or role of an administrator may come back.
const config = { access: requireRole('ADMIN') }
const tags = ['Backups']
const params = z.object({ id: Id })
const forbidden = 'FORBIDDEN_ROLE'

export function accountRestoreRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/backups/account-restores',
    {
      config,
      schema: {
        tags,
        operationId: 'listAccountRestores',
        summary: 'List the latest restores of accounts, and their previews',
        description: 'The latest 50. Poll while one is PLANNING, STARTING or RUNNING.',
        errors: [forbidden],
        response: { 200: AccountRestoreList }
      }
    },
    async () => showAccountRestores(deps)
  )
  app.post(
    '/api/backups/account-restores',
    {
      config,
      schema: {
        tags,
        operationId: 'planAccountRestore',
        summary: 'Preview the restore of an account from a backup of the panel',
        description:
          'The account may still exist or be deleted. Its rows come from the backup of the panel, files and databases of its projects from the latest good backup of each that was started ' +
          'before it. Nothing changes: `items` of the result say what would come back, what would be replaced, and what would stay. Start it with `startAccountRestore`.',
        body: PlanAccountRestore,
        errors: [forbidden, 'NOT_FOUND', 'CONFLICT'],
        response: { 202: AccountRestore }
      }
    },
    async (request, reply) =>
      reply.code(202).send(await planAccountRestore(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/backups/account-restores/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getAccountRestore',
        summary: 'Show a restore of an account',
        description: 'With its preview, then with the state of each part while it runs.',
        params,
        errors: [forbidden],
        response: { 200: AccountRestore }
      }
    },
    async (request) => showAccountRestore(deps, request.params.id)
  )
  app.post(
    '/api/backups/account-restores/:id/start',
    {
      config,
      schema: {
        tags,
        operationId: 'startAccountRestore',
        summary: 'Restore the account as previewed',
        description:
          'What was deleted comes back with its rows. Files and mail of what exists are restored beside the present ones and exchanged when they are complete; the present ones are kept for 7 days ' +
          '(`undoAccountRestore`). Databases that exist are restored into new ones. Projects that ran are built again from their commit. 409 CONFLICT, and nothing changes, while an item is REFUSED ' +
          'and not skipped.',
        params,
        body: StartAccountRestore,
        errors: [forbidden, 'CONFLICT'],
        response: { 202: AccountRestore }
      }
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(await startAccountRestore(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.post(
    '/api/backups/account-restores/:id/undo',
    {
      config,
      schema: {
        tags,
        operationId: 'undoAccountRestore',
        summary: 'Put the files and mail from before the restore of an account back',
        description:
          'Possible until `undoUntil`. What came back stays, and so do databases that were restored beside others. Mail that arrived since the restore goes.',
        params,
        errors: [forbidden, 'CONFLICT', 'MAIL_UNAVAILABLE'],
        response: { 200: AccountRestore }
      }
    },
    async (request) => undoAccountRestore(deps, request, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/backups/account-restores/:id/keep',
    {
      config,
      schema: {
        tags,
        operationId: 'keepAccountRestore',
        summary: 'Confirm the restore of an account',
        description: 'Removes the files and mail from before the restore at once, instead of after 7 days.',
        params,
        errors: [forbidden, 'CONFLICT', 'MAIL_UNAVAILABLE'],
        response: { 200: AccountRestore }
      }
    },
    async (request) => keepAccountRestore(deps, request, sessionOf(request).userId, request.params.id)
  )
}
