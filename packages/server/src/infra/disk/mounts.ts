import { readFile } from 'node:fs/promises'
import type { Run } from '../process/process.ts'
import { missingOptions, type Mount, mountOf } from './mount.policy.ts'

/** The mount that a path lies on. */
export const findMount = async (path: string): Promise<Mount | undefined> =>
  mountOf(await readFile('/proc/self/mountinfo', 'utf8'), path)

/** Where the directory is a mount of its own: set-uid bits and devices in it count for nothing from now on. Resolves with what was missing. */
export async function hardenMount(directory: string, run: Run): Promise<string[]> {
  const mount = await findMount(directory)
  if (mount?.point !== directory) return []
  const missing = missingOptions(mount)
  // Bind: of this mount alone, wherever else the file system is mounted.
  if (missing.length > 0)
    await run(['mount', '-o', ['remount', 'bind', ...missing].join(','), '--', directory], { timeoutMs: 10_000 })
  return missing
}
