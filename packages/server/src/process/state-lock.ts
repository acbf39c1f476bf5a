import { takeName } from '../infra/process/name-lock.ts'

interface StateLock {
  release(): Promise<void>
}

/** Takes a directory of state for this process alone. No lock of the store, which may lie in that directory and is not started yet. */
export async function lockState(directory: string): Promise<StateLock> {
  const release = await takeName(directory)
  if (release) return { release }
  throw new Error(`Another panel runs on ${directory}. Stop it first, or give this one a DATA_DIR of its own.`)
}
