import { isAlive } from '../process/process-name.ts'
import { findOthers, retryInterrupted } from './job-statements.ts'

/** Gives the jobs of processes that are gone back to their queues. */
interface JobTakeover {
  /** Before a queue is worked: from those that are seen to be gone. */
  start(queue: string): Promise<void>
  /**
   * Now and then, for all queues that are worked: also from those of which only their lock tells. Resolves with whether other processes
   * have jobs.
   */
  poll(queues: readonly string[]): Promise<boolean>
}

/**
 * A job is taken from none but a dead process. Whether one of this machine lives is seen. One of another machine or container has a lock on
 * its connection that listens; while the store comes back it may live without, so it is gone when it had none at two polls in a row.
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
    return { gone, unlocked, areAny: others.length > 0 }
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
      suspects = new Set() // Polls that have one that failed between them are not in a row.
      const { gone, unlocked, areAny } = await check(queues)
      await takeOver(queues, [...gone, ...unlocked.filter((process) => before.has(process))])
      suspects = new Set(unlocked)
      return areAny
    }
  }
}
