import {
  type CreateMachine,
  type Machine,
  type MachineDetails,
  type MachineDrain,
  type MachineList,
  type MachineQuery,
  type MachineRole,
  type MachineUpgrade,
  machineRoles,
  type Placement,
  type RemoveMachineQuery,
  type UpdateMachine
} from '@panel/contract/machines'
import {
  machineProblemTexts,
  machineUpgradeFailureTexts,
  type PlacementText,
  placementTexts
} from '@panel/contract/machine-texts'
import { pagination } from '@panel/contract/common'
import { type Sentence, sentenceText } from '@panel/contract/sentences'
import type { Queryable, Transaction } from '../../db/database.ts'
import { findNode } from '../../db/nodes.ts'
import type { NodeUpgrade } from '../../db/schema/nodes.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { sumCapacity } from '../users/capacity.service.ts'
import { checkMachine, forgetMachine } from './nodes.jobs.ts'
import {
  averageMoveSeconds,
  changeNode,
  countContainers,
  countProjects,
  deleteNode,
  hasContainers,
  insertNode,
  listNodes,
  listSiteFacts,
  listSites,
  lockNode,
  type NodeRow
} from './nodes.repository.ts'
import { allocateTunnel } from './tunnel-addresses.service.ts'
import { isEncryptedByDefault } from './tunnel.policy.ts'
import { placeable, readSituation, type Situation, statusOf } from './placement.service.ts'
import { isReplaced, leaves, placesOf, type SpreadableProject } from './spread.policy.ts'

type ReadDeps = Pick<Dependencies, 'config' | 'db' | 'features' | 'nodeId'>

export async function listMachines(deps: ReadDeps): Promise<MachineList> {
  return { machines: await viewsOf(deps, await listNodes(deps.db)) }
}

export async function requireMachine(db: Queryable, id: string): Promise<NodeRow> {
  const row = await findNode(db, id)
  if (!row) throw notFound()
  return row
}

/** The machine and its sites, each with the reason why it is there. */
export async function getMachine(deps: ReadDeps, id: string, { page, limit }: MachineQuery): Promise<MachineDetails> {
  const row = await requireMachine(deps.db, id)
  const [machine] = await viewsOf(deps, [row])
  const situation = await readSituation(deps, deps.db)
  const rows = await listSites(deps.db, id, { limit, offset: (page - 1) * limit })
  const sites = rows.map(({ facts, ...site }) => ({
    ...site,
    placement: explainPlacement(placeable(facts), id, situation)
  }))
  const drain = await planDrain(deps.db, id, situation)
  return { machine: machine!, sites, drain, pagination: pagination(page, limit, machine!.projects) }
}

/** As many deployments of kept images run at once (features/deployments). */
const movesAtOnce = 4
const defaultMoveSeconds = 10

export async function planDrain(db: Queryable, id: string, { nodes, usage }: Situation): Promise<MachineDrain> {
  const facts = await listSiteFacts(db, id)
  const moving = facts.filter((site) => leaves(placeable(site.facts), id, nodes, usage)).length
  const each = (await averageMoveSeconds(db)) ?? defaultMoveSeconds
  return { moving, staying: facts.length - moving, seconds: Math.ceil(moving / movesAtOnce) * Math.ceil(each) }
}

function explainPlacement(project: SpreadableProject, id: string, situation: Situation): Placement {
  const sentences = [explanation(project, id, situation)]
  return { message: sentenceText(placementTexts, sentences), sentences }
}

function explanation(project: SpreadableProject, id: string, { nodes, usage }: Situation): Sentence<PlacementText> {
  const decision = placesOf(project, nodes, usage)
  if ('refusal' in decision) return decision.refusal
  const { places, reason } = decision
  if (places.includes(id)) return reason
  const isAway = nodes.some((node) => node.id === id && node.status === 'AWAY')
  if (isAway && !isReplaced(project, id, nodes, usage)) return { code: 'WAITS' }
  const target = places.find((place) => !project.on.includes(place)) ?? places[0]
  return { code: 'LEAVES', values: { machine: nodes.find((node) => node.id === target)?.name ?? target } }
}

export async function addMachine(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { name, host, port, hostKey, isEncrypted = isEncryptedByDefault(host) }: CreateMachine
): Promise<Machine> {
  const id = newId(deps.now().getTime())
  await deps.db
    .transaction(async (trx) => {
      const tunnel = isEncrypted ? await allocateTunnel(deps, trx) : null
      await insertNode(trx, { id, name, roles: ['SITES'], ssh: { host, port, hostKey }, tunnel })
      await recordAudit(deps, trx, origin, { action: 'machine.added', actorId: userId, targetId: id, metadata: { name, host, port, isEncrypted } }) // oxfmt-ignore
    })
    .catch(nameTaken)
  return checkedMachine(deps, id)
}

/** After a check that runs now. */
export async function checkedMachine(deps: Dependencies, id: string): Promise<Machine> {
  await checkMachine(deps, id)
  const [machine] = await viewsOf(deps, [await requireMachine(deps.db, id)])
  return machine!
}

export async function updateMachine(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: UpdateMachine
): Promise<Machine> {
  let isMoved = false
  const { isEdge, isEncrypted, ...values } = input
  if (id === deps.nodeId && (isEdge === false || values.publicIp !== undefined))
    throw new AppError('CONFLICT', 'Visitors can always use the machine of the panel, at the address in the settings')
  const row = await deps.db
    .transaction(async (trx) => {
      const before = await lockNode(trx, id)
      if (!before) throw notFound()
      if (Object.keys(input).length === 0) return before
      await recordAudit(deps, trx, origin, { action: 'machine.updated', actorId: userId, targetId: id, metadata: { ...input } }) // oxfmt-ignore
      isMoved = isEncrypted !== undefined && isEncrypted !== (before.tunnel !== null)
      if (isMoved) await requireEmpty(deps, trx, id)
      if (isEdge === false && before.roles.includes('EDGE'))
        await deps.jobs.enqueue(trx, 'nodes.remove_edge', { id }, { key: id })
      return changeNode(trx, id, {
        ...values,
        ...(input.isPaused === false && { isDraining: false }),
        ...(input.isPaused === false && before.upgrade?.endedAt === null && { upgrade: null }),
        ...(isEdge !== undefined && { roles: withEdge(before.roles, isEdge) }),
        ...(isMoved && { tunnel: isEncrypted ? await allocateTunnel(deps, trx) : null })
      })
    })
    .catch(nameTaken)
  if (isMoved) return checkedMachine(deps, id)
  const [machine] = await viewsOf(deps, [row])
  return machine!
}

/** Containers publish their ports at the address that the machine had when they started. */
async function requireEmpty(deps: Dependencies, trx: Transaction, id: string): Promise<void> {
  if (id === deps.nodeId)
    throw new AppError('CONFLICT', 'The panel itself runs on this machine: its traffic does not leave it')
  const projects = (await countProjects(trx)).get(id) ?? 0
  if (projects > 0 || (await hasContainers(trx, id)))
    throw new AppError(
      'CONFLICT',
      'Encryption can change only while no project is on the machine. Drain it, change it when the drain is done, then resume it.'
    )
}

const withEdge = (roles: readonly MachineRole[], isEdge: boolean): MachineRole[] =>
  machineRoles.filter((role) => (role === 'EDGE' ? isEdge : roles.includes(role)))

/** Pauses a machine; what can be on another one leaves it (features/deployments/machine-moves.jobs.ts). */
export async function drainMachine(deps: Dependencies, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const before = await lockNode(trx, id)
    if (!before) throw notFound()
    if (before.isDraining) return
    await changeNode(trx, id, { isPaused: true, isDraining: true })
    await recordAudit(deps, trx, origin, { action: 'machine.drained', actorId: userId, targetId: id })
    await deps.jobs.enqueue(trx, 'deployments.leave_machines', {}, { key: 'next' })
  })
}

/** `lost`: forgets the containers of a machine that does not respond, which the panel cannot remove any more. */
export async function removeMachine(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  { lost }: RemoveMachineQuery
): Promise<void> {
  const target = await deps.db.transaction(async (trx) => {
    const row = await lockNode(trx, id)
    if (!row) throw notFound()
    if (id === deps.nodeId)
      throw new AppError('CONFLICT', 'The panel itself runs on this machine, so it cannot be removed')
    const isLost = lost && statusOf(deps, row) === 'AWAY'
    if (!isLost && row.roles.includes('EDGE'))
      throw new AppError('CONFLICT', 'Visitors use this machine. Turn that off first.')
    const projects = (await countProjects(trx)).get(id) ?? 0
    if (projects > 0)
      throw new AppError('CONFLICT', `${projects} projects are on this machine. Drain it first, and resume other machines if they cannot take them.`) // oxfmt-ignore
    if (!isLost && (await hasContainers(trx, id)))
      throw new AppError(
        'CONFLICT',
        'Containers on this machine are still being removed. Try again in a minute. If the machine does not respond any more, remove it as lost.'
      )
    await deleteNode(trx, id, deps.nodeId)
    await recordAudit(deps, trx, origin, { action: 'machine.removed', actorId: userId, targetId: id, metadata: { name: row.name, lost: isLost } }) // oxfmt-ignore
    return isLost ? null : row.ssh
  })
  await forgetMachine(deps, id, target ?? undefined)
}

const notFound = () => new AppError('NOT_FOUND', 'Machine not found')

function nameTaken(error: unknown): never {
  if (isUniqueViolation(error, 'nodes_name_key')) throw new AppError('CONFLICT', 'Another machine has this name')
  throw error
}

function upgradeView({ step, startedAt, endedAt, failure }: NodeUpgrade): MachineUpgrade {
  const sentences = failure && [failure]
  return { step, startedAt, endedAt, failure: sentences && { message: sentenceText(machineUpgradeFailureTexts, sentences), sentences } } // oxfmt-ignore
}

async function viewsOf(deps: ReadDeps, rows: readonly NodeRow[]): Promise<Machine[]> {
  const [projects, containers] = await Promise.all([countProjects(deps.db), countContainers(deps.db)])
  const views: Machine[] = []
  for (const row of rows) {
    const { memoryMb, cpus } = await sumCapacity(deps, deps.db, { nodeId: row.id })
    views.push({
      id: row.id,
      name: row.name,
      isOwn: row.id === deps.nodeId,
      roles: row.roles,
      labels: row.labels,
      address: row.ssh?.host ?? row.facts?.address ?? null,
      isEncrypted: row.tunnel !== null,
      publicIp: row.publicIp,
      status: statusOf(deps, row),
      isDraining: row.isDraining,
      seenAt: row.seenAt?.toISOString() ?? null,
      problems: row.problems.map((each) => ({ message: sentenceText(machineProblemTexts, [each]), sentences: [each] })),
      upgrade: row.upgrade && upgradeView(row.upgrade),
      system: row.facts?.system ?? null,
      engineVersion: row.facts?.engineVersion ?? null,
      panelVersion: row.facts?.panelVersion ?? null,
      clockSkewMs: row.facts?.clockSkewMs ?? null,
      processors: row.facts?.processors ?? null,
      memory: row.facts?.memory ?? null,
      disk: row.facts?.disk ?? null,
      promised: { memoryBytes: memoryMb * 2 ** 20, cpus },
      projects: projects.get(row.id) ?? 0,
      instances: containers.get(row.id) ?? 0,
      createdAt: row.createdAt.toISOString()
    })
  }
  return views
}
