import { chmod, chown, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exists } from '../infra/disk/exists.ts'
import type { Run } from '../infra/process/process.ts'
import type { SystemUser } from '../infra/process/privileges.ts'
import { asUser } from './system-user.ts'

// A restored folder may hold many files.
const timeoutMs = 10 * 60_000
const initialiseTimeoutMs = 5 * 60_000
/** Of the engines' programs: the same whatever the panel was started with. */
export const engineEnvironment = { LC_ALL: 'C.UTF-8', TZ: 'UTC' }

/**
 * Makes the directory of an engine: its user may read what lies in it, the configuration, and write only in `writable`. The parent may
 * be passed through, as each engine has a user of its own.
 */
export async function makeEngineDirectories(
  directory: string,
  writable: readonly string[],
  user: SystemUser | undefined,
  run: Run
): Promise<void> {
  const parent = dirname(directory)
  if ((await mkdir(parent, { recursive: true })) !== undefined && user) await chmod(parent, 0o711)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if (user) {
    await chown(directory, 0, user.gid)
    // What is made in it, the configuration, belongs to the engine's group too.
    await chmod(directory, 0o2750)
  }
  for (const path of writable) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await giveTo(path, user, run)
  }
}

/**
 * Has the engine's own program make its data where there are none: aside, in a directory that the engine may write to, and moved into place,
 * so that a first start that is cut off leaves no half of them.
 */
export async function ensureData(
  { dataDirectory, runtimeDirectory }: { dataDirectory: string; runtimeDirectory: string },
  user: SystemUser | undefined,
  run: Run,
  initialise: (directory: string) => readonly [string, ...string[]]
): Promise<void> {
  if (await exists(dataDirectory)) return giveTo(dataDirectory, user, run)
  const fresh = join(runtimeDirectory, 'data.new')
  await rm(fresh, { recursive: true, force: true })
  await run(asUser(user, initialise(fresh)), { timeoutMs: initialiseTimeoutMs, env: engineEnvironment })
  await rename(fresh, dataDirectory)
}

/** Also sets right what was restored with other numbers. */
async function giveTo(path: string, user: SystemUser | undefined, run: Run): Promise<void> {
  if (!user || (await stat(path)).uid === user.uid) return
  await run(['chown', '-R', '--no-dereference', `${user.uid}:${user.gid}`, '--', path], { timeoutMs })
  await chmod(path, 0o700)
}
