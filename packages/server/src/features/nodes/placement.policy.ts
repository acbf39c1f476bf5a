import type { MachineRole, MachineStatus } from '@panel/contract/machines'
import type { PlacementText } from '@panel/contract/machine-texts'
import type { Sentence } from '@panel/contract/sentences'

/** Why the containers of a project must be on the machine that has its files. */
export type Stays = 'FILES' | 'VOLUMES' | 'REACHABLE' | 'SLEEP'

interface ProjectSettings {
  keepsFiles: boolean
  reachable: boolean
  sleepAfterMinutes: number | null
}

/** Null if any machine will do. */
export function staysBecause(
  { keepsFiles, reachable, sleepAfterMinutes }: ProjectSettings,
  hasVolumes: boolean
): Stays | null {
  if (keepsFiles) return 'FILES'
  if (hasVolumes) return 'VOLUMES'
  if (reachable) return 'REACHABLE'
  return sleepAfterMinutes === null ? null : 'SLEEP'
}

export interface PlaceableProject {
  /** Where its containers are and where its files are. Null for a new one. */
  at: { nodeId: string; filesNodeId: string } | null
  stays: Stays | null
  /** Labels that its machine must have, unless it stays with its files. */
  labels: readonly string[]
  /** The requested machine. */
  wanted?: string | undefined
}

export interface PlaceableNode {
  id: string
  name: string
  roles: readonly MachineRole[]
  labels: readonly string[]
  status: MachineStatus
  /** Whether the last check of another machine found nothing that keeps containers from starting there. */
  isFit: boolean
}

/** Promised and available memory by machine; a machine without an entry counts as full. */
export type NodeUsage = ReadonlyMap<string, { promisedBytes: number; totalBytes: number }>

export type Reason = Sentence<PlacementText>
export type PlacementDecision = { nodeId: string; reason: Reason } | { refusal: Reason }

/** Machines that can take containers of a project that needs no files there. */
export const ableMachines = ({ labels }: Pick<PlaceableProject, 'labels'>, nodes: readonly PlaceableNode[]) =>
  nodes.filter((node) => node.roles.includes('SITES') && hasLabels(node, labels) && isAble(node))

/** Where the first or only container of a project belongs, and why; or why there is no place at the moment. */
export function placementOf(
  project: PlaceableProject,
  nodes: readonly PlaceableNode[],
  usage: NodeUsage
): PlacementDecision {
  const { at, stays, wanted } = project
  if (stays !== null && at !== null && wanted === undefined) return withFiles(at.filesNodeId, stays, nodes)
  const labels = [...project.labels]
  const role: MachineRole = stays === null ? 'SITES' : 'FILES'
  const forSites = nodes.filter(({ roles }) => roles.includes(role))
  const labelled = forSites.filter((node) => hasLabels(node, labels))
  const able = labelled.filter(isAble)
  if (wanted !== undefined) {
    const isPossible = able.some(({ id }) => id === wanted) && (stays === null || at?.filesNodeId === wanted)
    if (isPossible) return { nodeId: wanted, reason: { code: 'ASKED' } }
    const machine = nodes.find(({ id }) => id === wanted)?.name ?? wanted
    return { refusal: { code: 'NOT_ABLE', values: { machine } } }
  }
  if (labelled.length === 0 && forSites.length > 0)
    return { refusal: { code: stays === null ? 'NO_LABELS' : 'FILES_LABELS', values: { labels } } }
  const [only, ...others] = able
  if (!only) {
    const isHere = labelled.some(({ id, status }) => id === at?.nodeId && status === 'PAUSED')
    if (at && isHere) return { nodeId: at.nodeId, reason: { code: 'PAUSED' } }
    return { refusal: { code: 'NONE', values: { machines: labelled.map(nameAndStatus) } } }
  }
  if (others.length === 0) {
    const isByLabels = labelled.length < forSites.length
    return { nodeId: only.id, reason: isByLabels ? { code: 'LABELS', values: { labels } } : { code: 'ONLY' } }
  }
  const current = able.find(({ id }) => id === at?.nodeId)
  return { nodeId: (current ?? mostFree(able, usage)).id, reason: { code: 'SPREAD' } }
}

function withFiles(nodeId: string, stays: Stays, nodes: readonly PlaceableNode[]): PlacementDecision {
  const node = nodes.find(({ id }) => id === nodeId)
  if (node?.status === 'ACTIVE' || node?.status === 'PAUSED') return { nodeId, reason: { code: stays } }
  return { refusal: { code: 'AWAY', values: { machine: node?.name ?? nodeId } } }
}

const hasLabels = (node: PlaceableNode, labels: readonly string[]) =>
  labels.every((label) => node.labels.includes(label))

const isAble = ({ status, isFit }: PlaceableNode): boolean => status === 'ACTIVE' && isFit

const nameAndStatus = ({ name, status, isFit }: PlaceableNode): string =>
  `${name} (${status === 'ACTIVE' && !isFit ? 'has problems' : status})`

/** The one with the smallest share of its memory promised. */
export const mostFree = (nodes: readonly PlaceableNode[], usage: NodeUsage): PlaceableNode =>
  nodes.toSorted((a, b) => shareOf(usage, a) - shareOf(usage, b) || (a.id < b.id ? -1 : 1))[0]!

function shareOf(usage: NodeUsage, { id }: PlaceableNode): number {
  const { promisedBytes, totalBytes } = usage.get(id) ?? { promisedBytes: 1, totalBytes: 0 }
  return totalBytes === 0 ? Infinity : promisedBytes / totalBytes
}
