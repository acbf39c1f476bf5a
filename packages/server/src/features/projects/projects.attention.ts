import type { OverviewCode } from '@panel/contract/overview'
import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listAilingContainers } from './attention.repository.ts'

export const ailingContainers: AttentionSource = {
  list: async ({ db }, { id }) =>
    foundIn(await listAilingContainers(db, id), (row) =>
      attentionItem(codeOf(row), 'project', row.id, row.name, { detail: row.stopReason, since: row.since })
    )
}

interface ContainerFacts {
  containerStatus: string | null
  stopReason: string | null
}

function codeOf({ containerStatus, stopReason }: ContainerFacts): OverviewCode {
  if (stopReason !== null) return 'CONTAINER_LIMIT'
  return containerStatus === 'restarting' ? 'CONTAINER_RESTARTING' : 'CONTAINER_STOPPED'
}
