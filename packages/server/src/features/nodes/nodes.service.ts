import type {
  CreateMachine,
  Machine,
  MachineDetails,
  MachineList,
  MachineQuery,
  Placement,
  UpdateMachine
} from '@panel/contract/machines'
import { machineProblemTexts, placementTexts } from '@panel/contract/machine-texts'
import { pagination } from '@panel/contract/common'
import { sentenceText } from '@panel/contract/sentences'
import type { Queryable } from '../../db/database.ts'
import { findNode } from '../../db/nodes.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { sumCapacity } from '../users/capacity.service.ts'
import { checkMachine, forgetMachine } from './nodes.jobs.ts'
import {
  changeNode,
  countContainers,
  countProjects,
  deleteNode,
  insertNode,
  listNodes,
  listSites,
  lockNode,
  type NodeRow
} from './nodes.repository.ts'
import { type NodeUsage, type PlaceableNode, placementOf, type PlaceableProject } from './placement.policy.ts'
import { readSituation, statusOf } from './placement.service.ts'

type ReadDeps = Pick<Dependencies, 'config' | 'db' | 'features' | 'nodeId'>

export async function listMachines(deps: ReadDeps): Promise<MachineList> {
  return { machines: await viewsOf(deps, await listNodes(deps.db)) }
}

export async function requireMachine(db: Queryable, id: string): Promise<NodeRow> {
  const row = await findNode(db, id)
  if (!row) throw new AppError('NOT_FOUND', 'Machine not found')
  return row
}

/** The machine and its sites, each with the reason why it is there. */
export async function getMachine(deps: ReadDeps, id: string, { page, limit }: MachineQuery): Promise<MachineDetails> {
  const row = await requireMachine(deps.db, id)
  const [machine] = await viewsOf(deps, [row])
  const { nodes, usage } = await readSituation(deps, deps.db)
  const rows = await listSites(deps.db, id, { limit, offset: (page - 1) * limit })
  const sites = rows.map(({ filesName, labels, ...site }) => ({
    ...site,
    placement: explainPlacement({ nodeId: id, hasFiles: filesName !== null, labels }, nodes, usage)
  }))
  return { machine: machine!, sites, pagination: pagination(page, limit, machine!.projects) }
}

function explainPlacement(project: PlaceableProject, nodes: readonly PlaceableNode[], usage: NodeUsage): Placement {
  const decision = placementOf(project, nodes, usage)
  const sentences = ['refusal' in decision ? decision.refusal : decision.reason]
  return { message: sentenceText(placementTexts, sentences), sentences }
}

export async function addMachine(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { name, host, port, hostKey }: CreateMachine
): Promise<Machine> {
  const id = newId(deps.now().getTime())
  await deps.db
    .transaction(async (trx) => {
      await insertNode(trx, { id, name, ssh: { host, port, hostKey } })
      await recordAudit(deps, trx, origin, { action: 'machine.added', actorId: userId, targetId: id, metadata: { name, host, port } }) // oxfmt-ignore
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
  const row = await deps.db
    .transaction(async (trx) => {
      const before = await lockNode(trx, id)
      if (!before) throw new AppError('NOT_FOUND', 'Machine not found')
      if (Object.keys(input).length === 0) return before
      await recordAudit(deps, trx, origin, { action: 'machine.updated', actorId: userId, targetId: id, metadata: { ...input } }) // oxfmt-ignore
      return changeNode(trx, id, input)
    })
    .catch(nameTaken)
  const [machine] = await viewsOf(deps, [row])
  return machine!
}

export async function removeMachine(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const row = await lockNode(trx, id)
    if (!row) throw new AppError('NOT_FOUND', 'Machine not found')
    if (!(await deleteNode(trx, id, deps.nodeId)))
      throw new AppError('CONFLICT', 'The panel itself runs on this machine, so it cannot be removed')
    await recordAudit(deps, trx, origin, { action: 'machine.removed', actorId: userId, targetId: id, metadata: { name: row.name } }) // oxfmt-ignore
  })
  await forgetMachine(deps, id)
}

function nameTaken(error: unknown): never {
  if (isUniqueViolation(error, 'nodes_name_key')) throw new AppError('CONFLICT', 'Another machine has this name')
  throw error
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
      status: statusOf(deps, row),
      seenAt: row.seenAt?.toISOString() ?? null,
      problems: row.problems.map((each) => ({ message: sentenceText(machineProblemTexts, [each]), sentences: [each] })),
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
