import { readFile } from 'node:fs/promises'

const checksPerLimit = 10

/**
 * Calls `onIdle` once when a process has read and written nothing for `limitMs`: no file, pipe or socket. Returns a
 * function that ends the watch. For programs such as `restic restore`, which print no progress.
 */
export function watchActivity(pid: number, limitMs: number, onIdle: () => void): () => void {
  let counters: string | undefined
  let checksWithoutChange = 0
  const timer = setInterval(async () => {
    const now = await readCounters(pid)
    // Unreadable: unknown, for example because the process has just ended.
    checksWithoutChange = now === counters && now !== '' ? checksWithoutChange + 1 : 0
    counters = now
    if (checksWithoutChange < checksPerLimit) return
    clearInterval(timer)
    onIdle()
  }, limitMs / checksPerLimit)
  timer.unref()
  return () => clearInterval(timer)
}

/** `rchar` and `wchar` count bytes of read and write calls, also on sockets (proc_pid_io(5)). */
async function readCounters(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')
  return (text.match(/^[rw]char: \d+$/gm) ?? []).join()
}
