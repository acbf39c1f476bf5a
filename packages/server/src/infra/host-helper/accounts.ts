import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import type { HostContext } from './host-context.ts'
import { confineInMachineSshd, releaseMachineSshd } from './machine-sshd.ts'
import { isAccountName } from './account-name.ts'
import { directoryProblem } from './owned-path.ts'
import { openTree } from './project-tree.ts'
import { endSessions } from './sftp-sessions.ts'
import { changeAccounts, readGroupMembers, readGroupNames, readSystemAccounts } from './system-accounts.ts'

/** Locked until it is unlocked: an account that a crash leaves half made lets nobody in. */
export async function createAccount(context: HostContext, username: string, uid: number): Promise<void> {
  const { run, group, projectsDirectory } = context
  const { home } = await openTree(projectsDirectory, uid)
  const problem = await directoryProblem(home, { parents: true })
  if (problem !== undefined)
    throw new AdapterError('sftp-unavailable', 'SFTP cannot serve the files of projects on this server', {
      reason: `PROJECTS_DIR: ${problem}`,
      remedy: 'CHECK_PROJECTS_DIR'
    })

  const accounts = await readSystemAccounts()
  const foreign =
    accounts.find((account) => account.uid === uid && !isAccountName(account.name))?.name ??
    (await readGroupNames(uid)).find((name) => !isAccountName(name))
  if (foreign !== undefined)
    throw new AdapterError('sftp-unavailable', 'The number of the account is taken on this server', {
      reason: `${uid} belongs to ${foreign}`
    })
  const existing = accounts.find((account) => account.name === username)
  if (existing && existing.uid !== uid)
    throw new AdapterError('sftp-unavailable', `${username} is another account of this machine`)

  await changeAccounts(run, ['groupadd', '--force', '--system', group])
  const exists = 9
  await changeAccounts(run, ['groupadd', '--non-unique', '--gid', String(uid), username], { done: [exists] })
  if (!existing) {
    // Without --no-log-init, a high uid makes a huge sparse /var/log/lastlog; without the counts of 0, each takes 65,536 subordinate ids.
    const habits = ['--no-create-home', '--no-log-init', '--key', 'SUB_UID_COUNT=0', '--key', 'SUB_GID_COUNT=0']
    const numbers = ['--uid', String(uid), '--non-unique', '--gid', String(uid)]
    const door = ['--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', '--expiredate', '1']
    await changeAccounts(run, ['useradd', ...habits, ...numbers, ...door, username])
  }
  if (!(await readGroupMembers(group)).includes(username))
    await changeAccounts(run, ['usermod', '--append', '--groups', group, username])
  await confineInMachineSshd(context, username)
}

export async function setPassword({ run, group }: HostContext, username: string, password: string): Promise<void> {
  await requireConfined(group, username)
  await changeAccounts(run, ['chpasswd'], { input: `${username}:${password}\n` })
}

/** A file of root's outside the chroot: nobody adds a key to it by SFTP. */
export async function setKeys(
  { group, keysDirectory }: HostContext,
  username: string,
  keys: readonly string[]
): Promise<void> {
  await requireConfined(group, username)
  await makeKeysDirectory(keysDirectory)
  await writeFileAtomically(join(keysDirectory, username), keys.map((key) => `restrict ${key}\n`).join(''), 0o644)
}

/** sshd reads the files as the account, and takes none from below a folder that others may write to. */
async function makeKeysDirectory(keysDirectory: string): Promise<void> {
  await mkdir(dirname(keysDirectory), { mode: 0o711 }).catch(ignoreExisting)
  await mkdir(keysDirectory, { mode: 0o711 }).catch(ignoreExisting)
  const problem = await directoryProblem(keysDirectory, { parents: true })
  if (problem !== undefined)
    throw new AdapterError('sftp-unavailable', 'SSH keys cannot be kept on this server', { reason: problem })
}

/** A locked password does not stop keys; an account that has expired stops both. */
export async function lockAccount({ run, group }: HostContext, username: string): Promise<void> {
  await requireConfined(group, username)
  await changeAccounts(run, ['usermod', '--lock', '--expiredate', '1', username])
  await endSessions(username)
}

export async function unlockAccount({ run, group }: HostContext, username: string): Promise<void> {
  await requireConfined(group, username)
  await changeAccounts(run, ['usermod', '--unlock', '--expiredate', '', username])
}

export async function removeAccount(context: HostContext, username: string): Promise<void> {
  const { run, group, keysDirectory } = context
  const isThere = (await readSystemAccounts()).some((account) => account.name === username)
  if (isThere) await changeAccounts(run, ['usermod', '--lock', '--expiredate', '1', username])
  await rm(join(keysDirectory, username), { force: true })
  await endSessions(username)
  const missing = 6
  // By force, since containers may run as the same uid; it has no home that would go with it.
  await changeAccounts(run, ['userdel', '--force', username], { done: [missing] })
  await changeAccounts(run, ['groupdel', '--force', username], { done: [missing] })
  if ((await readGroupMembers(group)).length > 0) return
  await releaseMachineSshd(context)
  await changeAccounts(run, ['groupdel', group], { done: [missing] })
}

export async function listAccounts({ group }: HostContext): Promise<string[]> {
  const existing = new Set((await readSystemAccounts()).map((account) => account.name))
  return (await readGroupMembers(group)).filter((name) => isAccountName(name) && existing.has(name))
}

/** Nothing that opens a door is done for an account that sshd does not confine. */
async function requireConfined(group: string, username: string): Promise<void> {
  if ((await readGroupMembers(group)).includes(username)) return
  throw new AdapterError('sftp-unavailable', `There is no account ${username} on this machine yet`)
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
