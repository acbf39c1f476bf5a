import type { MachineRole, MachineStatus } from '@panel/contract/machines'
import type { PlacementText } from '@panel/contract/machine-texts'
import type { Sentence } from '@panel/contract/sentences'

export interface PlaceableProject {
  /** Null for a new one. */
  nodeId: string | null
  /** Files lie on one machine, and the project stays with them. */
  hasFiles: boolean
  /** Labels that its machine must have. */
  labels: readonly string[]
}

export interface PlaceableNode {
  id: string
  name: string
  roles: readonly MachineRole[]
  labels: readonly string[]
  status: MachineStatus
}

/** Promised and available memory by machine; a machine without an entry counts as full. */
export type NodeUsage = ReadonlyMap<string, { promisedBytes: number; totalBytes: number }>

type Reason = Sentence<PlacementText>
export type PlacementDecision = { nodeId: string; reason: Reason } | { refusal: Reason }

/** Where a project belongs, and why; or why it has no place at the moment. */
export function placementOf(
  project: PlaceableProject,
  nodes: readonly PlaceableNode[],
  usage: NodeUsage
): PlacementDecision {
  if (project.hasFiles && project.nodeId !== null) return withFiles(project.nodeId, nodes)
  const forSites = nodes.filter(({ roles }) => roles.includes('SITES'))
  const labelled = forSites.filter(({ labels }) => project.labels.every((label) => labels.includes(label)))
  if (labelled.length === 0 && forSites.length > 0)
    return { refusal: { code: 'NO_LABELS', values: { labels: [...project.labels] } } }
  const able = labelled.filter(({ status }) => status === 'ACTIVE')
  const [only, ...others] = able
  if (!only) return { refusal: { code: 'NONE', values: { machines: labelled.map(nameAndStatus) } } }
  if (others.length === 0) {
    const isByLabels = labelled.length < forSites.length
    return { nodeId: only.id, reason: isByLabels ? { code: 'LABELS', values: { labels: [...project.labels] } } : { code: 'ONLY' } } // oxfmt-ignore
  }
  const current = able.find(({ id }) => id === project.nodeId)
  const { id } = current ?? able.toSorted((a, b) => shareOf(usage, a) - shareOf(usage, b) || (a.id < b.id ? -1 : 1))[0]!
  return { nodeId: id, reason: { code: 'SPREAD' } }
}

function withFiles(nodeId: string, nodes: readonly PlaceableNode[]): PlacementDecision {
  const node = nodes.find(({ id }) => id === nodeId)
  if (node?.status === 'ACTIVE') return { nodeId, reason: { code: 'FILES' } }
  return { refusal: { code: 'AWAY', values: { machine: node?.name ?? nodeId } } }
}

const nameAndStatus = ({ name, status }: PlaceableNode): string => `${name} (${status})`

function shareOf(usage: NodeUsage, { id }: PlaceableNode): number {
  const { promisedBytes, totalBytes } = usage.get(id) ?? { promisedBytes: 1, totalBytes: 0 }
  return totalBytes === 0 ? Infinity : promisedBytes / totalBytes
}
