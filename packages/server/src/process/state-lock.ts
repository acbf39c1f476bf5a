import { setTimeout as sleep } from 'node:timers/promises'
import { takeName } from '../infra/process/name-lock.ts'

interface StateLock {
  release(): Promise<void>
}

/**
 * Not a database lock, because the database may be in that directory and is not running yet.
 * @param waitMs how long to wait for another process that is about to end
 */
export async function lockState(directory: string, waitMs = 0): Promise<StateLock> {
  for (const deadline = performance.now() + waitMs; ; await sleep(250)) {
    const release = await takeName(directory)
    if (release) return { release }
    if (performance.now() >= deadline) break
  }
  throw new Error(`Another panel runs on ${directory}. Stop it first, or set another DATA_DIR.`)
}
