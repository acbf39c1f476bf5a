import { readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { isContained } from '../process/is-contained.ts'
import { ifAlive, listPids } from '../process/proc.ts'
import { signal } from '../process/signal.ts'

const timeoutMs = 10_000

/**
 * Ends what sshd runs for the account, a login under way too. By the titles that sshd gives its processes, since containers of the same
 * person have the same uid.
 */
export async function endSessions(username: string): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(50)) {
    const pids = await findSessions(username)
    if (pids.length === 0) return
    if (Date.now() > deadline) throw new AdapterError('sftp-unavailable', `The sessions of ${username} do not end`)
    for (const pid of pids) signal(pid, 'SIGKILL')
  }
}

async function findSessions(username: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of await listPids()) if (await ifAlive(isSessionOf(pid, username))) found.push(pid)
  return found
}

/** "sshd: name [priv]", "sshd: name@notty", since OpenSSH 9.8 "sshd-session: name …". */
async function isSessionOf(pid: number, username: string): Promise<boolean> {
  const title = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[0]!
  const match = /^(sshd(?:-session|-auth)?): ([a-z0-9_]+)(?:[ @[]|$)/.exec(title)
  if (match?.[2] !== username) return false
  // A container that starts itself anew under such a title would keep an account from ever being locked.
  if (isContained(await readFile(`/proc/${pid}/status`, 'utf8'))) return false
  return basename(await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '') === match[1]
}
