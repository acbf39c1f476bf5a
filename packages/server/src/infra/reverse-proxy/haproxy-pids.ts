import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { readIfExists } from './haproxy-files.ts'

export interface HaproxyProcesses {
  /** The master process, which reloads and which the pid file names. */
  master: number | undefined
  /** The master and every worker, also one whose master is gone. */
  all: readonly number[]
}

/**
 * Finds the processes of the HAProxy that runs with this configuration file, by their command lines: a pid file may be stale and
 * its number may be another program's by now. A second HAProxy on the same ports would start without complaint (SO_REUSEPORT)
 * and answer half of the requests from old routes, so none may be overlooked.
 */
export async function findHaproxy(configPath: string, pidPath: string): Promise<HaproxyProcesses> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue
    const parent = await parentIfOurs(name, configPath)
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const fromFile = Number((await readIfExists(pidPath)) ?? '')
  const master = parents.has(fromFile) ? fromFile : [...parents.values()].find((parent) => parents.has(parent))
  return { master, all: [...parents.keys()] }
}

/** Whether a process with this number exists and may be signalled. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0)
}

/** Sends a signal; false when there is no such process any more. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** The soft limit of open files in the text of /proc/self/limits, which a child inherits. */
export function parseOpenFilesLimit(limits: string): number {
  const soft = /^Max open files +([0-9]+|unlimited) /m.exec(limits)?.[1]
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft ?? 1024)
}

/** HAProxy does not start when it would need more than the limit: two files per connection and some of its own. */
export const maxConnectionsFor = (openFilesLimit: number): number =>
  Math.max(1, Math.min(8_000, Math.floor(openFilesLimit / 2) - 100))

async function parentIfOurs(pid: string, configPath: string): Promise<number | undefined> {
  try {
    const [file = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (basename(file) !== 'haproxy' || !args.includes(configPath)) return undefined
    return Number(/^PPid:\t([0-9]+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch (error) {
    // It ended between the listing and the reading.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}
