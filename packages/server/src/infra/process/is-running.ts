import { readFile } from 'node:fs/promises'

/** Unlike a signal test, detects zombies and reused pids. The kernel keeps 15 bytes of the name. */
export async function isRunning(pid: number, name: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '') // no such process
  return status.startsWith(`Name:\t${name}\n`) && !/^State:\tZ/m.test(status)
}
