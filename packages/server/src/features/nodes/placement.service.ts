import { placementTexts } from '@panel/contract/machine-texts'
import { sentenceText } from '@panel/contract/sentences'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { sumCapacity } from '../users/capacity.service.ts'
import { isFit, nodeStatus } from './node-state.policy.ts'
import { findSiteFacts, listNodes, type NodeRow, type SiteFacts } from './nodes.repository.ts'
import {
  type NodeUsage,
  type PlaceableNode,
  placementOf,
  type Reason,
  type Stays,
  staysBecause
} from './placement.policy.ts'
import { placesOf, type SpreadableProject, type SpreadDecision } from './spread.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'features' | 'nodeId'>

/** The machines of a new project's containers and files. Rejects with NODE_UNAVAILABLE or INVALID_TARGET and the reason. */
export async function placeProject(
  deps: Deps,
  trx: Transaction,
  project: { labels: readonly string[]; stays: Stays | null }
): Promise<{ nodeId: string; filesNodeId: string }> {
  const { nodes, usage } = await readSituation(deps, trx)
  const decision = placementOf({ ...project, at: null }, nodes, usage)
  if ('nodeId' in decision) {
    const { nodeId } = decision
    return { nodeId, filesNodeId: project.stays === null ? deps.nodeId : nodeId }
  }
  throw refused(decision)
}

export function refused({ refusal }: { refusal: Reason }): AppError {
  const isByLabels = refusal.code === 'NO_LABELS' || refusal.code === 'FILES_LABELS'
  const code = isByLabels || refusal.code === 'NOT_ABLE' ? 'INVALID_TARGET' : 'NODE_UNAVAILABLE'
  return new AppError(code, sentenceText(placementTexts, [refusal]))
}

/** Where the next containers of a project belong, the first one first. */
export async function decidePlaces(
  deps: Deps,
  db: Queryable,
  projectId: string,
  wanted?: string
): Promise<SpreadDecision> {
  const { nodes, usage } = await readSituation(deps, db)
  const facts = await findSiteFacts(db, projectId)
  if (!facts) throw new AppError('NOT_FOUND', 'Project not found')
  return placesOf({ ...placeable(facts), wanted }, nodes, usage)
}

export const placeable = ({ nodeId, filesNodeId, hasVolumes, ...facts }: SiteFacts): SpreadableProject => ({
  at: { nodeId, filesNodeId },
  stays: staysBecause(facts, hasVolumes),
  labels: facts.labels,
  instances: facts.instances,
  on: facts.on
})

export interface Situation {
  nodes: readonly PlaceableNode[]
  usage: NodeUsage
}

/** What decides where projects are. With one machine for sites its usage makes no difference. */
export async function readSituation(deps: Deps, db: Queryable): Promise<Situation> {
  const rows = await listNodes(db)
  const forSites = rows.filter(({ roles }) => roles.includes('SITES'))
  const usage = new Map<string, { promisedBytes: number; totalBytes: number }>()
  if (forSites.length > 1)
    for (const { id, facts } of forSites) {
      const { memoryMb } = await sumCapacity(deps, db, { nodeId: id })
      usage.set(id, { promisedBytes: memoryMb * 2 ** 20, totalBytes: facts?.memory.totalBytes ?? 0 })
    }
  const views = rows.map((row) => ({
    ...row,
    status: statusOf(deps, row),
    isFit: row.id === deps.nodeId || isFit(row.problems)
  }))
  return { nodes: views, usage }
}

export const statusOf = ({ nodeId }: Pick<Deps, 'nodeId'>, row: NodeRow) =>
  nodeStatus({ ...row, isOwn: row.id === nodeId })
