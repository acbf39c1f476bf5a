import { feature } from '../feature.ts'
import { mailboxExportRoutes } from './mailbox-export.routes.ts'
import { runImport } from './mailbox-import.jobs.ts'
import { accountHooks } from './mailbox-imports.hooks.ts'
import { recoverImports } from './mailbox-imports.reconcile.ts'
import { countOpenByStatus } from './mailbox-imports.repository.ts'
import { mailboxImportRoutes } from './mailbox-imports.routes.ts'
import { getMailboxImport } from './mailbox-imports.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'mailbox-moves.import': object
  }
}

export const mailboxMoves = feature({
  name: 'mailbox-moves',
  routes: [mailboxExportRoutes, mailboxImportRoutes],
  owners: {
    '/api/mailboxes/:id/imports/:importId': ({ db }, userId, { id, importId }) =>
      getMailboxImport({ db }, userId, id!, importId!)
  },
  account: accountHooks,
  jobs: {
    // The database row is the queue: the reconcile loop requeues interrupted imports.
    'mailbox-moves.import': {
      concurrency: ({ MAILBOX_IMPORTS }) => MAILBOX_IMPORTS,
      timeoutSeconds: 24 * 3600 - 1,
      retries: 0,
      run: (deps, _data, worker) => runImport(deps, worker)
    }
  },
  reconcile: [
    { name: 'mailbox imports', on: { commits: true }, run: (deps, { lease }) => recoverImports(deps, lease) }
  ],
  metrics: [
    {
      name: 'panel_mailbox_imports',
      help: 'Queued and running mailbox imports.',
      label: 'status',
      read: ({ db }) => countOpenByStatus(db)
    }
  ]
})
