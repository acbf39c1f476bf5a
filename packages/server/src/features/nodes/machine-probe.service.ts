import { setTimeout as sleep } from 'node:timers/promises'
import { unlessAborted } from '../../concurrency/time-limit.ts'
import { findNode } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { NodeAdapters } from '../../infra/node-connection/nodes.ts'
import { messageOf } from '../../text/message-of.ts'
import { type ChangeDeps, reasonOf, recordAway } from './machine-changes.service.ts'
import { awayAfter } from './node-state.policy.ts'
import { checkMachine } from './nodes.jobs.ts'
import { listNodes } from './nodes.repository.ts'
import { keepOneOfEach } from './watch-machines.service.ts'

type Deps = ChangeDeps & Pick<Dependencies, 'config' | 'logger' | 'nodes'>

interface Pace {
  everyMs: number
  timeoutMs: number
}

/** Three misses are noticed after 12 to 16 s. */
const pace: Pace = { everyMs: 4_000, timeoutMs: 4_000 }

/**
 * Notices within seconds that an added machine does not answer, and that it is back; its minute checks take longer and read
 * more. Only one process of the panel probes (`isOldest`), because two could disagree.
 */
export const probeMachines = (
  deps: Deps,
  { isOldest }: { isOldest: () => Promise<boolean> },
  signal: AbortSignal
): Promise<void> =>
  keepOneOfEach(
    async () => {
      const added = await listAdded(deps)
      // A process that is not sure leaves it to the others.
      return added.length > 0 && (await isOldest().catch(() => false)) ? added : []
    },
    (id, until) => probeMachine(deps, id, until),
    signal
  )

async function listAdded({ db, nodeId }: Deps): Promise<string[]> {
  return (await listNodes(db)).map(({ id }) => id).filter((id) => id !== nodeId)
}

/** Until `signal` aborts. */
export async function probeMachine(
  deps: Deps,
  id: string,
  signal: AbortSignal,
  { everyMs, timeoutMs } = pace
): Promise<void> {
  // Of a machine that was not reached yet, the first answer is news.
  let misses: number | undefined
  let adapters: NodeAdapters | undefined
  const ping = async () => {
    // Not for each ping, because it reads the row. It may have another address after a failure.
    adapters ??= await deps.nodes.forNode(id)
    await adapters.ping(timeoutMs)
  }
  const probe = async () => {
    misses ??= (await isKnown(deps, id)) ? 0 : awayAfter
    try {
      await ping()
    } catch (error) {
      adapters = undefined
      misses++
      if (misses >= awayAfter) await recordAway(deps, id, reasonOf(error))
      return
    }
    if (misses >= awayAfter) await checkMachine(deps, id)
    if (misses < awayAfter || (await isKnown(deps, id))) misses = 0
  }
  while (!signal.aborted) {
    const due = sleep(everyMs, undefined, { signal }).catch(() => {}) // Woken up to stop.
    // Rejects while the store does not answer.
    await unlessAborted(probe(), signal).catch((error: unknown) =>
      deps.logger.debug({ machine: id, error: messageOf(error) }, 'could not record a probe')
    )
    await due
  }
}

/** Whether the last check or probe reached it. */
async function isKnown({ db }: Deps, id: string): Promise<boolean> {
  const row = await findNode(db, id)
  return row !== undefined && row.seenAt !== null && row.missedChecks < awayAfter
}
