import { readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { isContained } from '../process/is-contained.ts'
import { ifAlive, listPids } from '../process/proc.ts'
import { signal } from '../process/signal.ts'
import type { HostContext } from './host-context.ts'
import { readGroupMembers } from './system-accounts.ts'

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
  return (await readSession(pid))?.username === username
}

interface SessionProcess {
  pid: number
  parent: number
  uid: number
  username: string
  /** Ticks since the machine started. */
  startedAt: number
}

/** What sshd runs for an account, by the title that it gives its processes; undefined for any other process. */
async function readSession(pid: number): Promise<SessionProcess | undefined> {
  const title = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[0]!
  const match = /^(sshd(?:-session|-auth)?): ([a-z0-9_]+)(?:[ @[]|$)/.exec(title)
  if (!match) return undefined
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  // A container that starts itself anew under such a title would keep an account from ever being locked.
  if (isContained(status)) return undefined
  if (basename(await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '') !== match[1]) return undefined
  const numberOf = (member: string) => Number(new RegExp(`^${member}:\t(\\d+)`, 'm').exec(status)?.[1])
  return { pid, parent: numberOf('PPid'), uid: numberOf('Uid'), username: match[2]!, startedAt: await readStart(pid) }
}

/** By proc(5): the 22nd member, the 20th after the name in brackets. */
async function readStart(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19])
}

/**
 * Ends the newest sessions of each account of the group that has more of them than that. Only who is signed in counts: connections that say
 * a name and have no password yet would else keep its owner out. Resolves with how many were ended.
 */
export async function boundSessions({ group }: Pick<HostContext, 'group'>, limit: number): Promise<number> {
  const members = new Set(await readGroupMembers(group))
  const found: SessionProcess[] = []
  for (const pid of await listPids()) {
    const session = await ifAlive(readSession(pid))
    // Root's is the monitor of each; until somebody is signed in, the other is nobody's.
    if (session && session.uid >= firstUid && members.has(session.username)) found.push(session)
  }
  // The one that serves the files is a child of the session.
  const inside = new Set(found.map(({ pid }) => pid))
  const sessions = found.filter(({ parent }) => !inside.has(parent))
  const excess = [...members].flatMap((name) =>
    latestBeyond(
      sessions.filter(({ username }) => username === name),
      limit
    )
  )
  for (const { pid } of excess)
    for (const each of [pid, ...found.filter(({ parent }) => parent === pid).map((child) => child.pid)])
      signal(each, 'SIGKILL')
  return excess.length
}

const firstUid = 20_000

const latestBeyond = (sessions: readonly SessionProcess[], limit: number): SessionProcess[] =>
  sessions.toSorted((one, other) => one.startedAt - other.startedAt).slice(limit)
