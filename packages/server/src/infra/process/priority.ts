import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const nice = -5

/**
 * Gives a process that was started in a session of its own, and all that it starts from now on, more of a processor that is short: what
 * everybody waits for, the process that answers and its store, comes before what works for somebody. Linux shares processors out between
 * sessions first, where that is on (sched(7), "The autogroup feature"), and then within one by nice(2).
 */
export function favour(pid: number): void {
  attempt(() => setPriority(pid, nice))
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(nice)))
}

/**
 * Without the right it is one among others; it may have ended; and a session that the system has made no group for, as it has none for its
 * first one, has none to favour, which Linux calls an invalid argument.
 */
function attempt(action: () => void): void {
  try {
    action()
  } catch (error) {
    const { code, info } = error as { code?: string; info?: { code?: string } }
    if (!['EACCES', 'EPERM', 'ENOENT', 'ESRCH', 'EAGAIN', 'EINVAL'].includes(String(info?.code ?? code))) throw error
  }
}
