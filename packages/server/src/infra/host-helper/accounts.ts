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

export async function createAccount(context: HostContext, username: string, uid: number): Promise<void> {
  const { run, group, projectsDirectory } = context
  const { home } = await openTree(projectsDirectory, uid)
  const problem = await directoryProblem(home, { parents: true })
  if (problem !== undefined)
    throw new AdapterError('sftp-unavailable', 'SFTP is unavailable on this server', {
      reason: `Project files: ${problem}`,
      remedy: 'CHECK_PROJECTS_DIR'
    })

  const accounts = await readSystemAccounts()
  const foreign =
    accounts.find((account) => account.uid === uid && !isAccountName(account.name))?.name ??
    (await readGroupNames(uid)).find((name) => !isAccountName(name))
  if (foreign !== undefined)
    throw new AdapterError('sftp-unavailable', 'The uid of the account is already used on this server', {
      reason: `${uid} belongs to ${foreign}`
    })
  const existing = accounts.find((account) => account.name === username)
  if (existing && existing.uid !== uid)
    throw new AdapterError('sftp-unavailable', `The account ${username} already exists with another uid`)

  await changeAccounts(run, ['groupadd', '--force', '--system', group])
  const exists = 9
  await changeAccounts(run, ['groupadd', '--non-unique', '--gid', String(uid), username], { done: [exists] })
  if (!existing) {
    // Without --no-log-init a high uid creates a huge sparse /var/log/lastlog; without the zero counts each account
    // reserves 65,536 subordinate ids.
    const defaults = ['--no-create-home', '--no-log-init', '--key', 'SUB_UID_COUNT=0', '--key', 'SUB_GID_COUNT=0']
    const ids = ['--uid', String(uid), '--non-unique', '--gid', String(uid)]
    const loginOptions = ['--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', '--expiredate', '1']
    await changeAccounts(run, ['useradd', ...defaults, ...ids, ...loginOptions, username])
  }
  if (!(await readGroupMembers(group)).includes(username))
    await changeAccounts(run, ['usermod', '--append', '--groups', group, username])
  await confineInMachineSshd(context, username)
}

export async function setPassword({ run, group }: HostContext, username: string, password: string): Promise<void> {
  await requireConfined(group, username)
  await changeAccounts(run, ['chpasswd'], { input: `${username}:${password}\n` })
}

/** The file belongs to root and is outside the chroot, so that keys cannot be added over SFTP. */
export async function setKeys(
  { group, keysDirectory }: HostContext,
  username: string,
  keys: readonly string[]
): Promise<void> {
  await requireConfined(group, username)
  await makeKeysDirectory(keysDirectory)
  await writeFileAtomically(join(keysDirectory, username), keys.map((key) => `restrict ${key}\n`).join(''), 0o644)
}

/** sshd reads the files as the account and rejects keys below directories that others can write to. */
async function makeKeysDirectory(keysDirectory: string): Promise<void> {
  await mkdir(dirname(keysDirectory), { mode: 0o711 }).catch(ignoreExisting)
  await mkdir(keysDirectory, { mode: 0o711 }).catch(ignoreExisting)
  const problem = await directoryProblem(keysDirectory, { parents: true })
  if (problem !== undefined)
    throw new AdapterError('sftp-unavailable', 'SSH keys are unavailable on this server', { reason: problem })
}

/** Locking the password does not block keys; expiring the account blocks both. */
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
  const accountExists = (await readSystemAccounts()).some((account) => account.name === username)
  if (accountExists) await changeAccounts(run, ['usermod', '--lock', '--expiredate', '1', username])
  await rm(join(keysDirectory, username), { force: true })
  await endSessions(username)
  const missing = 6
  // --force, because containers may run under the same uid. The account has no home that would be removed.
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

async function requireConfined(group: string, username: string): Promise<void> {
  if ((await readGroupMembers(group)).includes(username)) return
  throw new AdapterError('sftp-unavailable', `The account ${username} does not exist on this server yet`)
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
