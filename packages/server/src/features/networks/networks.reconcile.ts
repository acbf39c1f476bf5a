import type { Dependencies } from '../../dependencies.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import type { HostFirewall } from '../../infra/host-firewall/host-firewall.ts'
import { messageOf } from '../../text/message-of.ts'
import { accountNetworkNames } from '../../net/network-names.ts'
import { reconcileMachines } from '../nodes/on-machine.service.ts'
import { ensureMachineFirewall } from './machine-firewall.service.ts'
import { deleteNetwork, listAbandoned, listNetworks, listNumbersInUse } from './networks.repository.ts'
import { listAccountNetworks, makeNetwork, updateFirewall } from './networks.service.ts'

// Per process: a second process may send the same again. A restarted firewall receives all networks.
const notified = new WeakMap<HostFirewall, string>()

export async function reconcileNetworks(deps: Dependencies): Promise<'again' | 'done'> {
  return reconcileMachines(deps, 'networks', reconcileThere)
}

/** Removes networks from the engine, then the firewall, then the database, so that none is reused too early. */
async function reconcileThere(deps: Dependencies): Promise<'again' | 'done'> {
  const { db, engine, instanceId, nodeId } = deps
  await ensureMachineFirewall(deps, () => listAccountNetworks(deps))
  const labels = { [label.instance]: instanceId, [label.role]: 'account' }
  const nameOf = (row: { number: number }) => accountNetworkNames(instanceId, row.number).name
  const found = new Set((await engine.listNetworks(labels)).map(({ name }) => name))
  const rows = await listNetworks(db, nodeId)
  const used = new Set(await listNumbersInUse(db, nodeId))
  let isAllDone = true
  const attempt = async (what: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      deps.logger.warn({ network: what, error: messageOf(error) }, 'could not update an account network')
      isAllDone = false
      return false
    }
  }

  for (const row of rows)
    if (used.has(row.number) && !found.has(nameOf(row))) await attempt(nameOf(row), () => makeNetwork(deps, row))

  const gone: typeof rows = []
  for (const row of await listAbandoned(db, nodeId))
    if (await attempt(nameOf(row), () => engine.removeNetwork(nameOf(row)))) gone.push(row)
  await updateFirewall(deps, () => notifyAll(deps, gone))
  for (const row of gone) await deleteNetwork(db, row)

  // Networks without a row, for example after the database was restored from a backup.
  const known = new Set((await listNetworks(db, nodeId)).map(nameOf))
  for (const name of found) if (!known.has(name)) await attempt(name, () => engine.removeNetwork(name))
  return isAllDone ? 'done' : 'again'
}

/** Repeats if a network or container was added in the meantime, which the sent list would drop. */
async function notifyAll(deps: Dependencies, gone: readonly { number: number }[]): Promise<void> {
  const isGone = new Set(gone.map((row) => accountNetworkNames(deps.instanceId, row.number).bridge))
  const read = async () => (await listAccountNetworks(deps)).filter(({ bridge }) => !isGone.has(bridge))
  for (
    let networks = await read();
    notified.get(deps.hostFirewall) !== JSON.stringify(networks);
    networks = await read()
  ) {
    await deps.hostFirewall.setNetworks(networks)
    notified.set(deps.hostFirewall, JSON.stringify(networks))
  }
}
