import { placementTexts } from '@panel/contract/machine-texts'
import { sentenceText } from '@panel/contract/sentences'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { sumCapacity } from '../users/capacity.service.ts'
import { nodeStatus } from './node-state.policy.ts'
import { listNodes, type NodeRow } from './nodes.repository.ts'
import { type NodeUsage, type PlaceableNode, placementOf } from './placement.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'features' | 'nodeId'>

/** The machine for a new project. Rejects with NODE_UNAVAILABLE or INVALID_TARGET and the reason. */
export async function placeProject(
  deps: Deps,
  trx: Transaction,
  project: { labels: readonly string[] }
): Promise<string> {
  const { nodes, usage } = await readSituation(deps, trx)
  const decision = placementOf({ ...project, nodeId: null, hasFiles: false }, nodes, usage)
  if ('nodeId' in decision) return decision.nodeId
  const { refusal } = decision
  throw new AppError(
    refusal.code === 'NO_LABELS' ? 'INVALID_TARGET' : 'NODE_UNAVAILABLE',
    sentenceText(placementTexts, [refusal])
  )
}

/** What decides where projects lie. With one machine for sites its usage makes no difference. */
export async function readSituation(
  deps: Deps,
  db: Queryable
): Promise<{ nodes: readonly PlaceableNode[]; usage: NodeUsage }> {
  const rows = await listNodes(db)
  const forSites = rows.filter(({ roles }) => roles.includes('SITES'))
  const usage = new Map<string, { promisedBytes: number; totalBytes: number }>()
  if (forSites.length > 1)
    for (const { id, facts } of forSites) {
      const { memoryMb } = await sumCapacity(deps, db, { nodeId: id })
      usage.set(id, { promisedBytes: memoryMb * 2 ** 20, totalBytes: facts?.memory.totalBytes ?? 0 })
    }
  return { nodes: rows.map((row) => ({ ...row, status: statusOf(deps, row) })), usage }
}

export const statusOf = ({ nodeId }: Pick<Deps, 'nodeId'>, row: NodeRow) =>
  nodeStatus({ ...row, isOwn: row.id === nodeId })
