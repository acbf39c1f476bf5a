import { takeName } from '../infra/process/name-lock.ts'

interface StateLock {
  release(): Promise<void>
}

/** Not a database lock, because the database may be in that directory and is not running yet. */
export async function lockState(directory: string): Promise<StateLock> {
  const release = await takeName(directory)
  if (release) return { release }
  throw new Error(`Another panel runs on ${directory}. Stop it first, or set another DATA_DIR.`)
}
