import { randomUUID } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { readProcessState } from './process-state.ts'

/** A name for something of this process, by which others can tell whether it is there still. */
export async function newProcessName(): Promise<string> {
  const state = await readProcessState(process.pid)
  return [await sight(), process.pid, state!.startedAt, randomUUID()].join('/')
}

/** Whether the process of that name is there; undefined where that cannot be seen from here. */
export async function isAlive(processName: string): Promise<boolean | undefined> {
  const [, seenFrom, pid, startedAt] = /^(.*)\/(\d+)\/(\d+)\/[^/]+$/.exec(processName) ?? []
  if (seenFrom !== (await sight())) return undefined
  return (await readProcessState(Number(pid)))?.startedAt === startedAt
}

/**
 * Processes that have this in common see each other under their numbers: since one start of one machine, outside of containers or in the
 * same one, and of one user, as /proc may hide those of others.
 */
async function sight(): Promise<string> {
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  return `${boot}/${await readlink('/proc/self/ns/pid')}/${process.getuid!()}`
}
