import type { Dependencies } from '../../dependencies.ts'
import { addUnsigned } from './webhook-deliveries.repository.ts'

export interface UnsignedCounter {
  add(projectId: string): void
}

const writeEveryMs = 1_000

/**
 * Counts requests with a wrong signature: in memory, then with one write per project and second. The request does not
 * wait, because its duration must not tell whether the project exists. A crash loses a second of counts.
 */
export function createUnsignedCounter({
  db,
  logger,
  now
}: Pick<Dependencies, 'db' | 'logger' | 'now'>): UnsignedCounter {
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const write = async () => {
    timer = undefined
    const entries = [...counts]
    counts.clear()
    for (const [projectId, count] of entries) await addUnsigned(db, projectId, count, now())
  }
  return {
    add(projectId) {
      counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
      timer ??= setTimeout(() => {
        write().catch((error: unknown) => logger.warn({ err: error }, 'could not count unsigned deliveries'))
      }, writeEveryMs).unref()
    }
  }
}
