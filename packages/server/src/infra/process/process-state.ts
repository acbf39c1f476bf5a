import { readFile } from 'node:fs/promises'
import { ifAlive } from './proc.ts'

interface ProcessState {
  /** False while it is stopped (SIGSTOP). */
  isRunning: boolean
  /** Clock ticks since the machine started: with the number, this names one process for ever. */
  startedAt: string
  /** The first process of its session, as every daemon of ours is (daemon.ts), and none of its children. */
  isSessionLeader: boolean
}

/** The state of a process by proc(5); undefined of one that has ended, also while nobody has reaped it. */
export async function readProcessState(pid: number): Promise<ProcessState | undefined> {
  const stat = await ifAlive(readFile(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  // The name before the last bracket may hold anything.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  return { isRunning: state !== 'T', startedAt: fields[18]!, isSessionLeader: fields[2] === String(pid) }
}
