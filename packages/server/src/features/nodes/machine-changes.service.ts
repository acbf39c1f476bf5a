import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError, explain } from '../../infra/adapter-error.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { awayAfter } from './node-state.policy.ts'
import { type Check, lockNode, type NodeRow, saveCheck } from './nodes.repository.ts'
import { statusOf } from './placement.service.ts'

declare module '../../infra/event-bus/event-bus.ts' {
  interface ProcessEvents {
    /** The status of a machine changed: the next reconcile round runs every step. */
    'machine:changed': { id: string }
  }
}

export type ChangeDeps = Pick<Dependencies, 'db' | 'events' | 'jobs' | 'nodeId' | 'now'>

type Status = 'away' | 'back' | 'new'

/**
 * What follows when the panel can no longer reach a machine, or reaches it again. Runs in the transaction that changes its
 * status, once per change.
 */
async function machineChanged(deps: ChangeDeps, trx: Transaction, { id, name }: NodeRow, is: Status): Promise<void> {
  // What can be elsewhere is started there, or what was replaced is removed here (features/deployments).
  await deps.events.publish(trx, { to: 'processes', name: 'machine:changed', data: { id } })
  if (is === 'new') return
  await notifyAdmins(deps, trx, {
    kind: is === 'away' ? 'machine-away' : 'machine-back',
    subject: { type: 'server', id, name },
    text: [{ code: is === 'away' ? 'MACHINE_AWAY' : 'MACHINE_BACK', values: { machine: name } }],
    link: `/server/machines/${id}`
  })
}

/** Saves what a check of a machine found; `checkOf` gets the current row, and undefined changes nothing. */
export async function recordCheck(
  deps: ChangeDeps,
  id: string,
  checkOf: (row: NodeRow) => Check | undefined
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const before = await lockNode(trx, id)
    const check = before && checkOf(before)
    if (!check) return
    await saveCheck(trx, id, check)
    const [was, is] = [statusOf(deps, before), statusOf(deps, { ...before, ...check })]
    if (was === is) return
    await machineChanged(deps, trx, before, is === 'AWAY' ? 'away' : was === 'AWAY' ? 'back' : 'new')
  })
}

export const reasonOf = (error: unknown): string =>
  (error instanceof AdapterError ? (error.explanation ?? error.sentence) : explain(error)) ?? 'no reason given'

export const unreachable = (reason: string): Pick<NodeRow, 'problems'> => ({
  problems: [{ code: 'UNREACHABLE', values: { reason } }]
})

/** The machine counts as away at once, not only after three checks. */
export const recordAway = (deps: ChangeDeps, id: string, reason: string): Promise<void> =>
  recordCheck(deps, id, ({ missedChecks }) =>
    missedChecks < awayAfter ? { missedChecks: awayAfter, ...unreachable(reason) } : undefined
  )
