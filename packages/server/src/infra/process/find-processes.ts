import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { isContained } from './is-contained.ts'
import { ifAlive, listPids } from './proc.ts'

/** By an argument, because pid files may be stale; not in containers. Resolves with parent pids by pid. */
export async function findProcesses(
  program: string,
  argument: string | ((argument: string) => boolean)
): Promise<Map<number, number>> {
  const isWanted = typeof argument === 'string' ? (each: string) => each === argument : argument
  const found = await Promise.all(
    (await listPids()).map(async (pid) => {
      const parent = await ifAlive(parentIfMatching(pid, program, isWanted))
      return parent === undefined ? [] : [[pid, parent] as const]
    })
  )
  return new Map(found.flat())
}

async function parentIfMatching(
  pid: number,
  program: string,
  isWanted: (argument: string) => boolean
): Promise<number | undefined> {
  const [file = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
  if (basename(file) !== program || !args.some(isWanted)) return undefined
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return isContained(status) ? undefined : Number(/^PPid:\t([0-9]+)$/m.exec(status)?.[1])
}
