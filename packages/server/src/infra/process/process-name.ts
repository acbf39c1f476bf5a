import { randomUUID } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { readProcessState } from './process-state.ts'

export async function newProcessName(): Promise<string> {
  const state = await readProcessState(process.pid)
  return [await visibilityScope(), process.pid, state!.startedAt, randomUUID()].join('/')
}

/** Whether that process runs; undefined if it is not visible from here. */
export async function isAlive(processName: string): Promise<boolean | undefined> {
  const [, scope, pid, startedAt] = /^(.*)\/(\d+)\/(\d+)\/[^/]+$/.exec(processName) ?? []
  if (scope !== (await visibilityScope())) return undefined
  return (await readProcessState(Number(pid)))?.startedAt === startedAt
}

// Scope in which pids are comparable: same boot, same pid namespace, and same user, because /proc may hide other users'
// processes.
async function visibilityScope(): Promise<string> {
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  return `${boot}/${await readlink('/proc/self/ns/pid')}/${process.getuid!()}`
}
