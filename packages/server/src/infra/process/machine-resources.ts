import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { MachineResources } from '../../net/connection-limits.policy.ts'

/** Limits of this process and its children. Node.js raises the soft limit of open files at startup. */
export async function readMachineResources(): Promise<MachineResources> {
  const constrained = process.constrainedMemory()
  return {
    openFiles: parseOpenFilesLimit(await readFile('/proc/self/limits', 'utf8')),
    memoryBytes: constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  }
}

export function parseOpenFilesLimit(limits: string): number {
  const soft = /^Max open files +([0-9]+|unlimited) /m.exec(limits)?.[1]
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft ?? 1024)
}
