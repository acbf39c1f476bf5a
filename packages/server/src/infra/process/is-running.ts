import { readFile } from 'node:fs/promises'

/**
 * Whether the process runs and is the program of that name (its first 15 bytes, as the kernel keeps it). Other than a signal can
 * tell: a zombie that nobody has reaped yet does not run, and a number may have gone to another program.
 */
export async function isRunning(pid: number, name: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '') // There is no such process.
  return status.startsWith(`Name:\t${name}\n`) && !/^State:\tZ/m.test(status)
}
