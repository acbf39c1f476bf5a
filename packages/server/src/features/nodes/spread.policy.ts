import {
  ableMachines,
  mostFree,
  type NodeUsage,
  type PlaceableNode,
  type PlaceableProject,
  placementOf,
  type Reason
} from './placement.policy.ts'

export interface SpreadableProject extends PlaceableProject {
  /** How many containers it should have. */
  instances: number
  /** The machines of its live containers, that of the first one first. */
  on: readonly string[]
}

export type SpreadDecision = { places: readonly [string, ...string[]]; reason: Reason } | { refusal: Reason }

/**
 * The machine of each instance, the first one first; or why there is no place at the moment. Instances that can be on any
 * machine are spread: no able machine has two more than another. Those that are where they can stay, stay.
 */
export function placesOf(
  project: SpreadableProject,
  nodes: readonly PlaceableNode[],
  usage: NodeUsage
): SpreadDecision {
  const first = placementOf(project, nodes, usage)
  if ('refusal' in first) return first
  const { nodeId } = first
  const able = project.stays === null ? ableMachines(project, nodes) : []
  // Neither those with their files nor those that only stay on a paused machine are spread.
  const candidates = able.some(({ id }) => id === nodeId) ? able : nodes.filter(({ id }) => id === nodeId)
  const places: [string, ...string[]] = [nodeId]
  while (places.length < project.instances) places.push(nextPlace(project.on, places, candidates, usage))
  return { places, reason: new Set(places).size > 1 ? { code: 'INSTANCES' } : first.reason }
}

function nextPlace(
  on: readonly string[],
  places: readonly string[],
  candidates: readonly PlaceableNode[],
  usage: NodeUsage
): string {
  const fewest = Math.min(...candidates.map(({ id }) => countOf(places, id)))
  const next = candidates.filter(({ id }) => countOf(places, id) === fewest)
  return (next.find(({ id }) => countOf(on, id) > fewest) ?? mostFree(next, usage)).id
}

const countOf = (places: readonly string[], id: string): number => places.filter((place) => place === id).length

/** Whether containers of a project on a machine belong, and can be, on other ones when that machine is drained. */
export function leaves(
  project: SpreadableProject,
  nodeId: string,
  nodes: readonly PlaceableNode[],
  usage: NodeUsage
): boolean {
  // As if it were paused already.
  const others = nodes.map((node) => (node.id === nodeId && node.status === 'ACTIVE' ? { ...node, status: 'PAUSED' as const } : node)) // oxfmt-ignore
  const decision = placesOf(project, others, usage)
  return 'places' in decision && !decision.places.includes(nodeId)
}

/**
 * Whether containers of a project are started elsewhere because their machine does not respond. The first one is, and others if
 * a machine without an instance can take one. Otherwise the remaining instances serve, and those come back with their machine.
 */
export function isReplaced(
  project: SpreadableProject,
  nodeId: string,
  nodes: readonly PlaceableNode[],
  usage: NodeUsage
): boolean {
  if (!leaves(project, nodeId, nodes, usage)) return false
  if (project.at?.nodeId === nodeId) return true
  const decision = placesOf(project, nodes, usage)
  return 'places' in decision && decision.places.some((place) => !project.on.includes(place))
}

/** Whether a deployment would spread the instances better: a machine was added, or takes containers again. */
export function isUneven(project: SpreadableProject, nodes: readonly PlaceableNode[]): boolean {
  const { instances, on, stays } = project
  // Otherwise its last change was not deployed, which is up to its owner.
  if (stays !== null || on.length !== instances) return false
  const counts = ableMachines(project, nodes).map(({ id }) => countOf(on, id))
  return Math.max(...counts) - Math.min(...counts) > 1
}

export interface ProjectOnMachine {
  id: string
  project: SpreadableProject
  /** The machine of the first instance in an earlier answer, which is kept while it is possible. */
  earlier: string | undefined
}

/**
 * Where the projects of a machine start if it is lost: the machines of their instances by project, as if they left one after the
 * other. Without those that cannot leave, or need not.
 */
export function standbysOf(
  sites: readonly ProjectOnMachine[],
  nodeId: string,
  nodes: readonly PlaceableNode[],
  usage: NodeUsage
): Map<string, readonly string[]> {
  const others = nodes.map((node) => (node.id === nodeId ? { ...node, status: 'AWAY' as const } : node))
  const promised = new Map(usage)
  const bytesOfEach = (usage.get(nodeId)?.promisedBytes ?? 0) / Math.max(1, sites.length)
  const standbys = new Map<string, readonly string[]>()
  for (const { id, project, earlier } of sites) {
    if (!isReplaced(project, nodeId, others, promised)) continue
    const again = placesOf({ ...project, wanted: earlier }, others, promised)
    const decision = 'places' in again ? again : placesOf(project, others, promised)
    if ('refusal' in decision) continue
    standbys.set(id, decision.places)
    for (const place of decision.places) {
      const there = promised.get(place)
      if (there && !project.on.includes(place))
        promised.set(place, { ...there, promisedBytes: there.promisedBytes + bytesOfEach })
    }
  }
  return standbys
}
