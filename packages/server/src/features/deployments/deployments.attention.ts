import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listFailedDeployments } from './attention.repository.ts'

export const failedDeployments: AttentionSource = {
  list: async ({ db }, { id }) =>
    foundIn(await listFailedDeployments(db, id), (row) =>
      attentionItem('DEPLOYMENT_FAILED', 'deployment', row.id, row.name, {
        projectId: row.projectId,
        detail: row.failure?.reason ?? null,
        sentences: row.failure?.sentences,
        since: row.since
      })
    )
}
