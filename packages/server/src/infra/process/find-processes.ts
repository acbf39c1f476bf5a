import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/**
 * Finds the processes of a program that were started with this argument, by their command lines: a pid file may be stale and its
 * number may be another program's by now. Resolves with the parent of each.
 */
export async function findProcesses(program: string, argument: string): Promise<Map<number, number>> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue
    const parent = await parentIfMatching(name, program, argument)
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  return parents
}

async function parentIfMatching(pid: string, program: string, argument: string): Promise<number | undefined> {
  try {
    const [file = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (basename(file) !== program || !args.includes(argument)) return undefined
    return Number(/^PPid:\t([0-9]+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch (error) {
    // It ended between the listing and the reading.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}
