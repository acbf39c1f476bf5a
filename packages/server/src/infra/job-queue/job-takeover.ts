import { isAlive } from '../process/process-name.ts'
import { findOthers, retryInterrupted } from './job-statements.ts'

interface JobTakeover {
  /** Call before working a queue. Only considers processes known to be dead. */
  start(queue: string): Promise<void>
  /** Also considers processes of which only the lock is visible. Resolves with whether others have jobs. */
  poll(queues: readonly string[]): Promise<boolean>
}

/**
 * Jobs are only taken from dead processes. Processes of this machine are checked directly. Others hold a lock on their
 * listening connection; they may lose it while the store restarts, so they count as dead after two polls in a row
 * without it.
 */
export function createJobTakeover(
  query: <Row>(text: string, values: unknown[]) => Promise<Row[]>,
  self: string
): JobTakeover {
  let suspects: ReadonlySet<string> = new Set()
  const check = async (queues: readonly string[]) => {
    const [gone, unlocked]: [string[], string[]] = [[], []]
    const others = await query<{ process: string; isLocked: boolean }>(findOthers, [queues, self])
    for (const other of others) {
      const isSeen = await isAlive(other.process)
      if (isSeen === false) gone.push(other.process)
      if (isSeen === undefined && !other.isLocked) unlocked.push(other.process)
    }
    return { gone, unlocked, hasOthers: others.length > 0 }
  }
  const takeOver = async (queues: readonly string[], processes: readonly string[]) => {
    if (processes.length > 0) await query(retryInterrupted, [queues, processes, null])
  }
  return {
    async start(queue) {
      await takeOver([queue], (await check([queue])).gone)
    },
    async poll(queues) {
      const before = suspects
      suspects = new Set() // a failed poll in between breaks the row
      const { gone, unlocked, hasOthers } = await check(queues)
      await takeOver(queues, [...gone, ...unlocked.filter((process) => before.has(process))])
      suspects = new Set(unlocked)
      return hasOthers
    }
  }
}
