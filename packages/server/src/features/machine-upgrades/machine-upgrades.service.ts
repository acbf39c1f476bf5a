import type { Queryable } from '../../db/database.ts'
import type { NodeUpgrade } from '../../db/schema/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { changeNode, listNodes, listSiteFacts, lockNode } from '../nodes/node-access.ts'
import { requireMachine } from '../nodes/nodes.service.ts'
import { statusOf } from '../nodes/placement.service.ts'

export const isOpen = (upgrade: NodeUpgrade | null): boolean =>
  upgrade !== null && upgrade.failure === null && upgrade.endedAt === null

/** Begins, or repeats after a failure: then with the projects that the machine had at first. */
export async function startUpgrade(deps: Dependencies, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  if (id === deps.nodeId)
    throw new AppError('CONFLICT', 'The panel itself runs on this machine. Upgrade it with `panel upgrade`.')
  await deps.db.transaction(async (trx) => {
    // Of two requests at once, the second one sees what the first one began.
    await lockNode(trx, deps.nodeId)
    await requireMachine(trx, id)
    const row = (await lockNode(trx, id))!
    if (isOpen(row.upgrade)) return
    if (['AWAY', 'JOINING'].includes(statusOf(deps, row)))
      throw new AppError('CONFLICT', 'The machine does not respond. Its page says why.')
    const other = (await listNodes(trx)).find(({ upgrade }) => isOpen(upgrade))
    if (other)
      throw new AppError('CONFLICT', `${other.name} is being upgraded, so that this machine may have to take its sites. Wait until that has ended.`) // oxfmt-ignore
    const stopped = row.upgrade?.failure ? row.upgrade : undefined
    const upgrade: NodeUpgrade = {
      step: 'MOVING',
      startedAt: deps.now().toISOString(),
      endedAt: null,
      projects: stopped?.projects ?? (await listSingle(trx, id)),
      wasPaused: stopped?.wasPaused ?? row.isPaused,
      failure: null
    }
    await changeNode(trx, id, { isPaused: true, isDraining: true, upgrade })
    await recordAudit(deps, trx, origin, { action: 'machine.upgraded', actorId: userId, targetId: id })
    await deps.jobs.enqueue(trx, 'deployments.leave_machines', {}, { key: 'next' })
    await deps.jobs.enqueue(trx, 'machine_upgrades.run', {}, { key: 'next' })
  })
}

/** Several instances are spread again on their own. */
async function listSingle(db: Queryable, id: string): Promise<string[]> {
  const sites = await listSiteFacts(db, id)
  return sites.filter(({ facts }) => facts.nodeId === id && facts.instances <= 1).map(({ projectId }) => projectId)
}
