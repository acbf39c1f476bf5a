import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listCrashing } from './processes.repository.ts'

export const crashingWorkers: AttentionSource = {
  list: async ({ db }, { id }) =>
    foundIn(await listCrashing(db, id), ({ projectId, projectName, name, since }) =>
      attentionItem('WORKER_CRASH_LOOPING', 'project', projectId, projectName, {
        detail: name,
        ...(since && { since })
      })
    )
}
