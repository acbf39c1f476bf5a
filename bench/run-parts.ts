import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Row } from './figures.ts'
import type { PartMessage } from './step.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A panel that is asked to end lets its programs finish first. */
const endMs = 60_000

/** Runs each part whatever became of the one before. Resolves with why parts failed, by their names. */
export async function runParts(
  names: readonly string[],
  runPart: (name: string) => Promise<void>
): Promise<Map<string, string>> {
  const failures = new Map<string, string>()
  for (const name of names) {
    try {
      await runPart(name)
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      failures.set(name, failure)
      console.error(`${name} failed: ${failure}`)
    }
  }
  return failures
}

/**
 * Runs the script of a part in a process of its own, so that an uncaught error ends that part alone. The process leads a group, by which
 * what a crash leaves running, such as a panel, is ended before the next part is measured. Rejects with the step that failed.
 */
export async function runInProcess(script: string, args: readonly string[], signal?: AbortSignal): Promise<Row[]> {
  signal?.throwIfAborted()
  const child = fork(script, args, { cwd: root, detached: true })
  let last: PartMessage = { step: 'starting' }
  child.on('message', (message) => (last = { ...last, ...(message as PartMessage) }))
  const interrupt = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    // Its last message may come after its exit; the channel closes after both.
    const [exit] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
    const [code, killedBy] = exit as [number | null, NodeJS.Signals | null]
    if (code === 0 && last.rows) return last.rows as Row[]
    throw new Error(last.failure ?? `${last.step}: the process ended with ${killedBy ?? `exit status ${code}`}`)
  } finally {
    signal?.removeEventListener('abort', interrupt)
    if (child.pid !== undefined) await endGroup(child.pid)
  }
}

async function endGroup(leader: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return
  for (const deadline = Date.now() + endMs; Date.now() < deadline; await sleep(50)) if (!signalGroup(leader, 0)) return
  signalGroup(leader, 'SIGKILL')
}

/** Whether there was a process in the group. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
