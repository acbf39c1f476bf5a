import { readdir, readFile } from 'node:fs/promises'

/** The command lines of all processes of this machine, also of those in containers. */
export async function commandLines(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = (id: string) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') // Gone meanwhile.
  return (await Promise.all(ids.map(read))).map((line) => line.replaceAll('\0', ' ').trim())
}

/** Ends at once every process that has the directory in its command line. */
export async function killProcesses(directory: string): Promise<void> {
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') // Gone meanwhile.
    if (line.includes(`${directory}/`)) kill(Number(id), 'SIGKILL')
  }
}

/** Sends a signal; a process that is gone already is fine. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error
  }
}
