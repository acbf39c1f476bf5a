import { readdir, readFile, readlink } from 'node:fs/promises'
import { until } from './poll.ts'

export async function commandLines(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = (id: string) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  return (await Promise.all(ids.map(read))).map((line) => line.replaceAll('\0', ' ').trim())
}

/** Kills every process with the directory in its command line or as its working directory; some rename themselves. */
export async function killProcesses(directory: string): Promise<void> {
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    const workingDirectory = await readlink(`/proc/${id}/cwd`).catch(() => '')
    if (line.includes(`${directory}/`) || workingDirectory.startsWith(`${directory}/`)) kill(Number(id), 'SIGKILL')
  }
}

/** Sends a signal; ignores processes that have exited. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error
  }
}

/** SIGSTOP, then waits until every thread has stopped. */
export async function pause(pid: number): Promise<void> {
  kill(pid, 'SIGSTOP')
  await until(
    () => threadStates(pid),
    (states) => states.every((state) => 'TtZX'.includes(state))
  )
}

/** State letters of proc(5) per thread (T: stopped); empty if the process is gone. */
async function threadStates(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const stats = threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => ') X'))
  // The process name before may contain any characters.
  return (await Promise.all(stats)).map((stat) => stat.slice(stat.lastIndexOf(')') + 2)[0]!)
}

export const noCapability = '0000000000000000'

export async function statusOf(pid: number): Promise<Record<string, string>> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8')).trimEnd().split('\n')
  return Object.fromEntries(
    lines.map((line) => line.split(/:\t?/, 2)).map(([name, value = '']) => [name!, value.trim()])
  )
}
