import type { OverviewCode } from '@panel/contract/overview'
import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listAilingContainers } from './attention.repository.ts'

const outOfMemoryShownMs = 24 * 3_600_000

export const ailingContainers: AttentionSource = {
  list: async ({ db, now }, { id }) =>
    foundIn(await listAilingContainers(db, id, new Date(now().getTime() - outOfMemoryShownMs)), (row) => {
      const code = codeOf(row)
      const detail = code === 'CONTAINER_OUT_OF_MEMORY' ? String(row.outOfMemoryMb) : row.stopReason
      return attentionItem(code, 'project', row.id, row.name, { detail, since: row.since })
    })
}

interface ContainerFacts {
  containerStatus: string | null
  stopReason: string | null
  outOfMemoryMb: number | null
}

function codeOf({ containerStatus, stopReason, outOfMemoryMb }: ContainerFacts): OverviewCode {
  if (stopReason !== null) return 'CONTAINER_LIMIT'
  if (outOfMemoryMb !== null) return 'CONTAINER_OUT_OF_MEMORY'
  return containerStatus === 'restarting' ? 'CONTAINER_RESTARTING' : 'CONTAINER_STOPPED'
}
