import { readFile } from 'node:fs/promises'
import type { Run } from '../process/process.ts'
import { missingOptions, type Mount, mountOf } from './mount.policy.ts'

export const findMount = async (path: string): Promise<Mount | undefined> =>
  mountOf(await readFile('/proc/self/mountinfo', 'utf8'), path)

/** Remounts a directory that is its own mount with nosuid and nodev. Resolves with the options that were missing. */
export async function hardenMount(directory: string, run: Run): Promise<string[]> {
  const mount = await findMount(directory)
  if (mount?.point !== directory) return []
  const missing = missingOptions(mount)
  // bind: affects this mount only, not others of the same file system.
  if (missing.length > 0)
    await run(['mount', '-o', ['remount', 'bind', ...missing].join(','), '--', directory], { timeoutMs: 10_000 })
  return missing
}
