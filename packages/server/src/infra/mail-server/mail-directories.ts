import { chmod, chown, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SystemUser } from '../process/privileges.ts'

/** Creates the directory, or corrects its owner and mode. Its parents become traversable. */
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

/** Each server has its own user and needs to reach its files below. */
async function makePassable(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, 0o711)
}
