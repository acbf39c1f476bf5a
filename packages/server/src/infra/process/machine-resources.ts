import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { MachineResources } from '../../net/connection-limits.policy.ts'

/** What this process may have, and with it the programs that it starts. Node.js has raised its soft limit to the hard one by then. */
export async function readMachineResources(): Promise<MachineResources> {
  const constrained = process.constrainedMemory()
  return {
    openFiles: parseOpenFilesLimit(await readFile('/proc/self/limits', 'utf8')),
    memoryBytes: constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  }
}

/** The soft limit of open files in the text of /proc/self/limits. */
export function parseOpenFilesLimit(limits: string): number {
  const soft = /^Max open files +([0-9]+|unlimited) /m.exec(limits)?.[1]
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft ?? 1024)
}
