import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notify } from '../notifications/notify-access.ts'
import { findProject } from '../projects/project-access.ts'
import type { TaskRow } from './tasks.repository.ts'

/** Of automatic updates that failed; who started a task by hand sees its outcome. */
export async function notifyTask(
  deps: Pick<Dependencies, 'events' | 'jobs' | 'now'>,
  trx: Transaction,
  { projectId, trigger, status, problem }: TaskRow
): Promise<void> {
  if (trigger !== 'AUTOMATIC' || status === 'SUCCEEDED') return
  const project = await findProject(trx, projectId)
  if (!project) return
  const { id, name, userId } = project
  await notify(deps, trx, {
    userId,
    kind: 'wordpress-update-failed',
    subject: { type: 'project', id, name },
    text: problem,
    link: `/projects/${id}/wordpress`
  })
}
