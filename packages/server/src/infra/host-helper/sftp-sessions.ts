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

/** Identified by process title, because the account's containers have the same uid. */
export async function endSessions(username: string): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(50)) {
    const pids = await findSessions(username)
    if (pids.length === 0) return
    if (Date.now() > deadline)
      throw new AdapterError('sftp-unavailable', `The sessions of ${username} could not be ended`)
    for (const pid of pids) signal(pid, 'SIGKILL')
  }
}

async function findSessions(username: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of await listPids()) if (await ifAlive(isSessionOf(pid, username))) found.push(pid)
  return found
}

/** Titles: "sshd: name [priv]", "sshd: name@notty", since OpenSSH 9.8 "sshd-session: name …". */
async function isSessionOf(pid: number, username: string): Promise<boolean> {
  return (await readSession(pid))?.username === username
}

interface SessionProcess {
  pid: number
  parent: number
  uid: number
  username: string
  startedAt: number
}

async function readSession(pid: number): Promise<SessionProcess | undefined> {
  const title = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[0]!
  const match = /^(sshd(?:-session|-auth)?): ([a-z0-9_]+)(?:[ @[]|$)/.exec(title)
  if (!match) return undefined
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  // A container that respawns under such a title would otherwise keep the account from being locked.
  if (isContained(status)) return undefined
  if (basename(await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '') !== match[1]) return undefined
  const numberOf = (member: string) => Number(new RegExp(`^${member}:\t(\\d+)`, 'm').exec(status)?.[1])
  return { pid, parent: numberOf('PPid'), uid: numberOf('Uid'), username: match[2]!, startedAt: await readStart(pid) }
}

/** proc(5): field 22, the 20th after the name in brackets. */
async function readStart(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19])
}

/** Only counts authenticated sessions; otherwise unauthenticated connections could lock the owner out. */
export async function boundSessions({ group }: Pick<HostContext, 'group'>, limit: number): Promise<number> {
  const members = new Set(await readGroupMembers(group))
  const found: SessionProcess[] = []
  for (const pid of await listPids()) {
    const session = await ifAlive(readSession(pid))
    // Skips root's monitor process and, before authentication, the unprivileged one.
    if (session && session.uid >= firstUid && members.has(session.username)) found.push(session)
  }
  const sessionPids = new Set(found.map(({ pid }) => pid))
  const sessions = found.filter(({ parent }) => !sessionPids.has(parent))
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
