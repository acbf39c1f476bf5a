import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ifAlive, listPids } from '../process/proc.ts'
import { sessionIn } from './terminal-session.policy.ts'

const graceMs = 2_000
const pollMs = 100

/**
 * Ends all processes of a session in a container: SIGHUP as a closed terminal sends it, then SIGKILL. The engine leaves
 * the process of an exec running when its connection closes. Requires root.
 */
export async function endSession(leader: number, containerId: string): Promise<void> {
  const deadline = Date.now() + graceMs
  await signalSession(leader, containerId, 'SIGHUP')
  // A process may start others until it is gone.
  for (let signal: 'SIGKILL' | 0 = 0; ;) {
    if ((await signalSession(leader, containerId, signal)) === 0) return
    if (signal === 'SIGKILL' && Date.now() > deadline + graceMs) return
    if (Date.now() > deadline) signal = 'SIGKILL'
    await sleep(pollMs)
  }
}

/** Number of processes found. Only those in the container's cgroup: a process id may have been given to another. */
async function signalSession(leader: number, containerId: string, signal: NodeJS.Signals | 0): Promise<number> {
  if (leader <= 1) return 0
  const pids = await listPids()
  const members = await Promise.all(pids.map((pid) => isMember(pid, leader, containerId)))
  const found = pids.filter((_, index) => members[index])
  for (const pid of found) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return found.length
}

async function isMember(pid: number, leader: number, containerId: string): Promise<boolean> {
  const stat = await ifAlive(readFile(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined || sessionIn(stat) !== leader) return false
  const cgroup = await ifAlive(readFile(`/proc/${pid}/cgroup`, 'utf8'))
  return cgroup?.includes(containerId) === true
}
