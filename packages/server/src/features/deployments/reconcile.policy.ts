/** The requested state of a project with a live deployment. */
export interface WantedContainer {
  projectId: string
  deploymentId: string
  containerId: string | null
  /** Whether this machine has the first container, which stands for the status of the project. */
  isHome: boolean
  /** Number of containers of its live deployment on this machine. */
  instances: number
  shouldRun: boolean
  /** Stopped by other code at the moment. */
  isFallingAsleep: boolean
  isDeploying: boolean
  knownStatus: string | null
}

export interface FoundContainer {
  id: string
  /** Empty for a build step shared by all projects. */
  projectId: string
  /** Empty for build steps, which inherit the labels of their base image. */
  deploymentId: string
  status: string
  place: Place
}

/** `shared`: the legacy network of all accounts. `lost`: none, or recreated, so that the container cannot start. */
export type Place = 'own' | 'shared' | 'lost'

/** `reserved` is the network of the container's slot; undefined for slots from before account networks. */
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
  /** Redeploy on the account network, or with all instances; the current containers stay live until then. */
  | { kind: 'move'; projectId: string; deploymentId: string }
  | { kind: 'record-status'; projectId: string; containerId: string; status: string }

/** Read the engine's list before the database, so that a container that just started is not taken for an orphan. */
export function planRepairs(facts: {
  wanted: readonly WantedContainer[]
  found: readonly FoundContainer[]
  slots: readonly Slot[]
  /** And the open runs and wanted workers, whose containers and slots carry their id in place of a deployment's. */
  openDeployments: ReadonlySet<string>
  openProjects: ReadonlySet<string>
}): Repair[] {
  const { wanted, found, slots, openDeployments, openProjects } = facts
  const live = new Set(wanted.map((project) => project.deploymentId))
  const reserved = new Set(slots.map((slot) => slot.deploymentId))
  const isOwned = ({ deploymentId, projectId }: FoundContainer) => {
    if (deploymentId !== '') return reserved.has(deploymentId) || openDeployments.has(deploymentId)
    // Stages shared by all projects of a type have no project label.
    return projectId === '' ? openProjects.size > 0 : openProjects.has(projectId)
  }
  const foundById = new Map(found.map((container) => [container.id, container]))
  const repairs: Repair[] = []

  for (const container of found) {
    if (!isOwned(container)) repairs.push({ kind: 'remove-container', containerId: container.id })
  }
  for (const slot of new Map(slots.map((each) => [each.deploymentId, each])).values()) {
    if (slot.retired) repairs.push({ kind: 'retire', deploymentId: slot.deploymentId })
    else if (!live.has(slot.deploymentId) && !openDeployments.has(slot.deploymentId))
      repairs.push({ kind: 'remove-slot', deploymentId: slot.deploymentId })
  }
  for (const project of wanted) {
    const container = project.containerId === null ? undefined : foundById.get(project.containerId)
    const others = found.filter((each) => each.deploymentId === project.deploymentId && each.id !== project.containerId)
    if (project.isHome) repairs.push(...repairsOf(project, container))
    if (container || !project.isHome) repairs.push(...repairsOfOthers(project, others))
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
  const isToMove = project.shouldRun && !project.isDeploying && (container.place === 'lost' || (container.place === 'shared' && isUp)) // oxfmt-ignore
  if (isToMove) return [{ kind: 'move', projectId, deploymentId: project.deploymentId }]
  if (project.shouldRun && !isUp) return [{ kind: 'start', projectId, containerId }]
  if (!project.shouldRun && isUp && !project.isFallingAsleep) return [{ kind: 'stop', projectId, containerId }]
  return status === project.knownStatus ? [] : [{ kind: 'record-status', projectId, containerId, status }]
}

function repairsOfOthers(project: WantedContainer, others: readonly FoundContainer[]): Repair[] {
  const { projectId, shouldRun, isDeploying, isFallingAsleep, isHome, instances } = project
  const isUp = ({ status }: FoundContainer) => status === 'running' || status === 'restarting'
  const isAnyLost = others.length < instances - (isHome ? 1 : 0) || others.some(({ place }) => place === 'lost')
  if (isAnyLost)
    return shouldRun && !isDeploying ? [{ kind: 'move', projectId, deploymentId: project.deploymentId }] : []
  return others
    .filter((each) => isUp(each) !== shouldRun && !isFallingAsleep)
    .map(({ id }) => ({ kind: shouldRun ? 'start' : 'stop', projectId, containerId: id }))
}
