import { userInfo } from 'node:os'
import type { Run } from '../infra/process/process.ts'

/** Whom a program runs as. */
export interface SystemUser {
  uid: number
  gid: number
}

const timeoutMs = 10_000

/**
 * The system user of an engine, made where its package makes none; undefined where the panel is not root: the engine then runs as
 * whoever the panel is.
 */
export async function findSystemUser(name: 'postgres' | 'mysql', run: Run): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const found = (await lookUp(name, run)) ?? (await make(name, run))
  if (!found || found.uid === 0) throw new Error(`There is no usable system user ${name}`)
  return found
}

/** As the engine's user, with no way to more rights. */
export const asUser = (user: SystemUser | undefined, argv: readonly [string, ...string[]]): [string, ...string[]] =>
  user
    ? [
        'setpriv',
        `--reuid=${user.uid}`,
        `--regid=${user.gid}`,
        '--clear-groups',
        '--no-new-privs',
        '--inh-caps=-all',
        '--bounding-set=-all',
        '--',
        ...argv
      ]
    : [...argv]

/** As whom this process connects over a Unix socket. */
export const ownName = (): string => userInfo().username

async function make(name: string, run: Run): Promise<SystemUser | undefined> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  await run(['useradd', ...options, '--shell', '/usr/sbin/nologin', '--', name], { timeoutMs })
  return lookUp(name, run)
}

async function lookUp(name: string, run: Run): Promise<SystemUser | undefined> {
  const { stdout } = await run(['getent', 'passwd'], { timeoutMs })
  const entry = stdout.split('\n').find((line) => line.startsWith(`${name}:`))
  const [, , uid, gid] = entry?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}
