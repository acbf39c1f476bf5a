import { readdir, readFile, readlink } from 'node:fs/promises'
import { until } from './poll.ts'

/** The command lines of all processes of this machine, also of those in containers. */
export async function commandLines(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = (id: string) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') // Gone meanwhile.
  return (await Promise.all(ids.map(read))).map((line) => line.replaceAll('\0', ' ').trim())
}

/** Ends at once every process that has the directory in its command line, or works below it: some call themselves otherwise. */
export async function killProcesses(directory: string): Promise<void> {
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') // Gone meanwhile.
    const workingDirectory = await readlink(`/proc/${id}/cwd`).catch(() => '')
    if (line.includes(`${directory}/`) || workingDirectory.startsWith(`${directory}/`)) kill(Number(id), 'SIGKILL')
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

/** Makes a process hang: SIGSTOP, and until each of its threads has stopped, which takes a while on a busy machine. */
export async function pause(pid: number): Promise<void> {
  kill(pid, 'SIGSTOP')
  await until(
    () => threadStates(pid),
    (states) => states.every((state) => 'TtZX'.includes(state))
  )
}

/** Of each thread, by the letters of proc(5): T is stopped. None where the process is gone. */
async function threadStates(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const stats = threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => ') X'))
  // The name before may have any characters.
  return (await Promise.all(stats)).map((stat) => stat.slice(stat.lastIndexOf(')') + 2)[0]!)
}

/** A set of capabilities as proc(5) writes an empty one. */
export const noCapability = '0000000000000000'

/** What proc(5) says of a process: "Uid", "CapEff". */
export async function statusOf(pid: number): Promise<Record<string, string>> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8')).trimEnd().split('\n')
  return Object.fromEntries(
    lines.map((line) => line.split(/:\t?/, 2)).map(([name, value = '']) => [name!, value.trim()])
  )
}
