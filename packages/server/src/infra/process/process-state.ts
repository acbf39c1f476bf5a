import { readFile } from 'node:fs/promises'
import { ifAlive } from './proc.ts'

interface ProcessState {
  /** False while it is stopped (SIGSTOP). */
  isRunning: boolean
  /** Clock ticks since boot: together with the pid a unique identity. */
  startedAt: string
  /** True for the main process of a daemon (daemon.ts), false for its children. */
  isSessionLeader: boolean
}

export async function readProcessState(pid: number): Promise<ProcessState | undefined> {
  const stat = await ifAlive(readFile(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  // The name before the last bracket may contain anything.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  return { isRunning: state !== 'T', startedAt: fields[18]!, isSessionLeader: fields[2] === String(pid) }
}
