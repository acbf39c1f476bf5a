import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import type { Run } from '../process/process.ts'
import type { KnotPaths } from './knot-paths.ts'

/** Mode of files that the server reads, its key included; the owner is root or the panel's user. */
export const readableByServer = 0o640

const timeoutMs = 10_000

/** The server can read the configuration and zones, and write only its databases and socket. */
export async function prepareDirectories(paths: KnotPaths, owner: ServerUser | undefined, run: Run): Promise<void> {
  const parent = dirname(paths.directory)
  // Knot resolves paths to absolute ones, so it needs to traverse the parent.
  if ((await mkdir(parent, { recursive: true })) !== undefined && owner) await chmod(parent, 0o711)
  for (const path of [paths.directory, paths.zones, paths.candidates]) await makeReadable(path, owner?.gid)
  for (const path of [paths.database, paths.runtimeDirectory]) await makeWritable(path, owner, run)
}

async function makeReadable(path: string, gid: number | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (gid === undefined) return
  if ((await stat(path)).gid !== gid) {
    await chown(path, 0, gid)
    for (const entry of await readdir(path, { withFileTypes: true }))
      if (entry.isFile()) await chown(join(path, entry.name), 0, gid)
  }
  await chmod(path, 0o2750)
}

async function makeWritable(path: string, owner: ServerUser | undefined, run: Run): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (!owner || (await stat(path)).uid === owner.uid) return
  await giveToServer(path, owner, run)
  await chmod(path, 0o700)
}

export async function giveToServer(path: string, owner: ServerUser | undefined, run: Run): Promise<void> {
  if (!owner) return
  await run(['chown', '-R', '--no-dereference', `${owner.uid}:${owner.gid}`, '--', path], { timeoutMs })
}

interface ServerUser {
  uid: number
  gid: number
}

/** User that the server switches to when root starts it; undefined if it keeps the panel's user. */
export async function findServerUser(run: Run): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined

  const found = await run(['getent', 'passwd', 'knot'], { timeoutMs }).catch((cause: unknown) => {
    throw new AdapterError('name-server-unavailable', 'Knot DNS is not installed', { cause })
  })
  const [, uid, gid] = /^knot:[^:]*:(\d+):(\d+):/.exec(found.stdout) ?? []
  if (uid === undefined || gid === undefined || uid === '0') throw new Error('No usable system user knot')
  return { uid: Number(uid), gid: Number(gid) }
}
