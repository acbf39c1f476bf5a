import { userInfo } from 'node:os'
import { type SystemUser, withoutPrivileges } from '../infra/process/privileges.ts'
import type { Run } from '../infra/process/process.ts'

const timeoutMs = 10_000

/** Created if its package does not; undefined if the panel is not root. */
export async function findSystemUser(
  name: 'postgres' | 'mysql' | 'haproxy' | 'panel-store' | 'panel-web',
  run: Run
): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const found = (await lookUp(name, run)) ?? (await make(name, run))
  if (!found || found.uid === 0) throw new Error(`No usable system user ${name}`)
  return found
}

/** Runs as the engine's user, without a way to gain privileges. */
export const asUser = (user: SystemUser | undefined, argv: readonly [string, ...string[]]): [string, ...string[]] =>
  user ? withoutPrivileges(user, argv) : [...argv]

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
