import { chmod, chown, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SystemUser } from '../process/privileges.ts'

/** Makes the directory with this owner and mode, also where it is there with others. Its parents may be passed through. */
export async function makeOwned(
  path: string,
  { uid, gid }: Pick<SystemUser, 'uid' | 'gid'>,
  mode: number
): Promise<void> {
  await makePassable(dirname(path))
  await mkdir(path, { recursive: true, mode })
  await chown(path, uid, gid)
  await chmod(path, mode)
}

/** Each of the servers has users of its own that read below it. */
async function makePassable(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, 0o711)
}
