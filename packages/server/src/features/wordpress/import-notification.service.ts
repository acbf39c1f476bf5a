import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type NewNotification, notify } from '../notifications/notify-access.ts'
import type { ProjectRow } from '../projects/project-access.ts'

export const notifyImport = (
  deps: Pick<Dependencies, 'events' | 'jobs' | 'now'>,
  trx: Transaction,
  { id, name, userId }: ProjectRow,
  kind: 'import-finished' | 'import-failed',
  text: NewNotification['text']
): Promise<void> =>
  notify(deps, trx, { userId, kind, subject: { type: 'project', id, name }, text, link: `/projects/${id}/wordpress` })
