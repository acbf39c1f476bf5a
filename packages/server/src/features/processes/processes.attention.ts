import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listAilingWorkers } from './processes.repository.ts'

const outOfMemoryShownMs = 24 * 3_600_000

export const ailingWorkers: AttentionSource = {
  list: async ({ db, now }, { id }) =>
    foundIn(
      await listAilingWorkers(db, id, new Date(now().getTime() - outOfMemoryShownMs)),
      ({ projectId, projectName, name, since, outOfMemoryMb }) =>
        attentionItem(
          // Running out of memory is also why it may crash-loop.
          outOfMemoryMb === null ? 'WORKER_CRASH_LOOPING' : 'WORKER_OUT_OF_MEMORY',
          'project',
          projectId,
          projectName,
          { detail: outOfMemoryMb === null ? name : `${name} (${outOfMemoryMb} MB)`, ...(since && { since }) }
        )
    )
}
