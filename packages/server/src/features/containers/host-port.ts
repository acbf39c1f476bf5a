import { createServer } from 'node:net'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { deleteSlot, insertSlot, listFreePorts, type SlotRow } from './container-slots.repository.ts'

/**
 * Reserves a host port, and with it an address on the proxy network. The unique key decides between two that want the same
 * one; a port that a foreign process holds is passed over. Only who holds the row tries the port: two that tried at once would
 * each take the other for a foreign process.
 */
export async function reserveSlot(
  deps: Pick<Dependencies, 'config' | 'db'>,
  slot: { projectId: string; deploymentId: string; containerPort: number }
): Promise<SlotRow> {
  const { DEPLOY_PORT_RANGE_START: first, DEPLOY_PORT_RANGE_END: last } = deps.config
  for (const port of await listFreePorts(deps.db, first, last)) {
    const reserved = await insertSlot(deps.db, { ...slot, port })
    if (!reserved) continue
    if (await isFree(port)) return reserved
    await deleteSlot(deps.db, reserved)
  }
  throw new AppError(
    'PORTS_EXHAUSTED',
    `Every host port from ${first} to ${last} is in use; widen DEPLOY_PORT_RANGE or delete a project`
  )
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
