import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const nice = -5

/**
 * Raises the CPU priority of a process in its own session and of its future children: panel and store go before work
 * for one tenant. Linux first shares CPU between sessions (sched(7), "The autogroup feature"), then by nice(2) within
 * one.
 */
export function favour(pid: number): void {
  attempt(() => setPriority(pid, nice))
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(nice)))
}

/** Ignores missing permission, an ended process, and a session without an autogroup (EINVAL). */
function attempt(action: () => void): void {
  try {
    action()
  } catch (error) {
    const { code, info } = error as { code?: string; info?: { code?: string } }
    if (!['EACCES', 'EPERM', 'ENOENT', 'ESRCH', 'EAGAIN', 'EINVAL'].includes(String(info?.code ?? code))) throw error
  }
}
