import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024
}

/** Peak memory growth of a process during the work, in bytes. */
export async function growthDuring<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; growth: number }> {
  const before = await residentBytes(pid)
  let most = before
  const done = new AbortController()
  const watch = (async () => {
    while (!done.signal.aborted) {
      most = Math.max(most, await residentBytes(pid))
      await sleep(50)
    }
  })()
  try {
    const result = await work()
    return { result, growth: most - before }
  } finally {
    done.abort()
    await watch
  }
}
