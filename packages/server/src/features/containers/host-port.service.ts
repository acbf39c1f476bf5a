import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { deleteSlot, insertSlot, listFreePorts, type SlotRow } from './container-slots.repository.ts'

/**
 * Reserves a port of the node, and with it an address on its proxy network. The unique key decides between two that want the same
 * one; a port that a foreign process holds is passed over. Only who holds the row tries the port: two that tried at once would
 * each take the other for a foreign process.
 */
export async function reserveSlot(
  deps: Pick<Dependencies, 'config' | 'db' | 'engine'>,
  slot: { nodeId: string; projectId: string; deploymentId: string; containerPort: number }
): Promise<SlotRow> {
  const { DEPLOY_PORT_RANGE_START: first, DEPLOY_PORT_RANGE_END: last } = deps.config
  for (const port of await listFreePorts(deps.db, slot.nodeId, first, last)) {
    const reserved = await insertSlot(deps.db, { ...slot, port })
    if (!reserved) continue
    if (await deps.engine.isPortFree(port)) return reserved
    await deleteSlot(deps.db, reserved)
  }
  throw new AppError(
    'PORTS_EXHAUSTED',
    `Every host port from ${first} to ${last} is in use; widen DEPLOY_PORT_RANGE or delete a project`
  )
}
