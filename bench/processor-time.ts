import { readdir, readFile, readlink } from 'node:fs/promises'

// USER_HZ of Linux, on every architecture that Node.js runs on.
const ticksPerSecond = 100

interface ProcessTimes {
  pid: number
  parent: number
  program: string
  /** Of itself and of its children that have ended, in seconds. */
  seconds: number
}

/** The panel, every program that works in its data directory or below its own processes, and what all of them have used. */
export async function listProcesses(panelPid: number, dataDir: string): Promise<ProcessTimes[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const all = (await Promise.all(pids.map(readTimes))).filter((times) => times !== undefined)
  const ours = new Set([panelPid])
  for (const { pid } of all) if (await worksIn(pid, dataDir)) ours.add(pid)
  for (let before = 0; before !== ours.size;) {
    before = ours.size
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid)
  }
  return all.filter(({ pid }) => ours.has(pid))
}

/** Processes and threads that the machine has made since it started. */
export async function countForks(): Promise<number> {
  return Number(/^processes (\d+)$/m.exec(await readFile('/proc/stat', 'utf8'))?.[1] ?? NaN)
}

async function readTimes(pid: number): Promise<ProcessTimes | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined) // It has ended.
  const [, program, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat ?? '') ?? []
  if (program === undefined || rest === undefined) return undefined
  const fields = rest.split(' ')
  // proc(5): utime, stime, cutime and cstime are fields 14 to 17, and field 3 is the first of these.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent: Number(fields[1]), program, seconds: ticks / ticksPerSecond }
}

async function worksIn(pid: number, directory: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // It has ended.
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => '') // The same.
  return command.includes(directory) || workingDirectory.startsWith(directory)
}
