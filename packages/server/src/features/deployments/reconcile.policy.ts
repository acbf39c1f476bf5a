/** What the store says of a project that has a live deployment. */
export interface WantedContainer {
  projectId: string
  deploymentId: string
  containerId: string | null
  shouldRun: boolean
  isDeploying: boolean
  knownStatus: string | null
}

/** What the engine says of a container of ours. */
export interface FoundContainer {
  id: string
  /** Empty for a step of a build that all projects share. */
  projectId: string
  /** Empty for a step of a build, which has the labels of the image that it began from. */
  deploymentId: string
  status: string
  place: Place
}

/**
 * Whether a container is on the network that its account has for it. `shared` is the one that all accounts were on once; `lost` is none, or
 * one that was made anew since: the engine does not start it there.
 */
export type Place = 'own' | 'shared' | 'lost'

/** By the network of its reservation, which is undefined for one of before accounts had their own, and those that there are. */
export function placeOf(
  attached: { name: string; id: string } | undefined,
  reserved: string | undefined,
  networks: readonly { name: string; id: string }[]
): Place {
  const isThere = attached && networks.some(({ name, id }) => name === attached.name && id === attached.id)
  if (!isThere) return 'lost'
  if (reserved === undefined) return 'shared'
  return attached.name === reserved ? 'own' : 'lost'
}

/** A reservation of port and address. */
export interface Slot {
  deploymentId: string
  retired: boolean
}

export type Repair =
  | { kind: 'remove-container'; containerId: string }
  | { kind: 'remove-slot'; deploymentId: string }
  | { kind: 'retire'; deploymentId: string }
  | { kind: 'start'; projectId: string; containerId: string }
  | { kind: 'stop'; projectId: string; containerId: string }
  | { kind: 'redeploy'; projectId: string }
  /** Deployed again, on a network of its account, beside the one that serves until then. */
  | { kind: 'move'; projectId: string; deploymentId: string }
  | { kind: 'record-status'; projectId: string; containerId: string; status: string }

/**
 * Compares the store with the engine. `openDeployments` are queued or being worked on, and `openProjects` theirs: what they make
 * is theirs. The engine's list must be older than the store's, so that a container that just came up is never taken for an orphan.
 */
export function planRepairs(facts: {
  wanted: readonly WantedContainer[]
  found: readonly FoundContainer[]
  slots: readonly Slot[]
  openDeployments: ReadonlySet<string>
  openProjects: ReadonlySet<string>
}): Repair[] {
  const { wanted, found, slots, openDeployments, openProjects } = facts
  const live = new Set(wanted.map((project) => project.deploymentId))
  const reserved = new Set(slots.map((slot) => slot.deploymentId))
  const isOwned = ({ deploymentId, projectId }: FoundContainer) => {
    if (deploymentId !== '') return reserved.has(deploymentId) || openDeployments.has(deploymentId)
    // What all projects of a type share is built in the name of none.
    return projectId === '' ? openProjects.size > 0 : openProjects.has(projectId)
  }
  const foundById = new Map(found.map((container) => [container.id, container]))
  const repairs: Repair[] = []

  for (const container of found) {
    if (!isOwned(container)) repairs.push({ kind: 'remove-container', containerId: container.id })
  }
  for (const slot of slots) {
    if (slot.retired) repairs.push({ kind: 'retire', deploymentId: slot.deploymentId })
    else if (!live.has(slot.deploymentId) && !openDeployments.has(slot.deploymentId))
      repairs.push({ kind: 'remove-slot', deploymentId: slot.deploymentId })
  }
  for (const project of wanted) {
    const container = project.containerId === null ? undefined : foundById.get(project.containerId)
    repairs.push(...repairsOf(project, container))
  }
  return repairs
}

function repairsOf(project: WantedContainer, container: FoundContainer | undefined): Repair[] {
  const { projectId } = project
  if (!container) {
    if (project.isDeploying || !project.shouldRun || project.knownStatus === 'missing') return []
    return [{ kind: 'redeploy', projectId }]
  }
  const { id: containerId, status } = container
  const isUp = status === 'running' || status === 'restarting'
  const isToMove = project.shouldRun && !project.isDeploying && (container.place === 'lost' || (container.place === 'shared' && isUp)) // prettier-ignore
  if (isToMove) return [{ kind: 'move', projectId, deploymentId: project.deploymentId }]
  if (project.shouldRun && !isUp) return [{ kind: 'start', projectId, containerId }]
  if (!project.shouldRun && isUp) return [{ kind: 'stop', projectId, containerId }]
  return status === project.knownStatus ? [] : [{ kind: 'record-status', projectId, containerId, status }]
}
