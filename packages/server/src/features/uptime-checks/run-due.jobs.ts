import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { createProber } from './probing.service.ts'
import { type EndedRun, recordRuns } from './recording.service.ts'
import { type Places, takeDueRuns, type TakenRun } from './runs.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'logger' | 'now'>

/** Questions under way at once in a process: with all of them unanswered to their time limit, still several hundred a minute. */
const maxProbes = 256
/** Of one account: its sites that hang keep those of others waiting no longer. */
const maxProbesPerAccount = 32
const batch = 128
const recordEveryMs = 250
const recheckMs = 500
/** Then this run ends, and the next one goes on. */
const longestMs = 240_000

/** Runs what is due, until nothing is. Several processes may do so at once: each run is one process's. */
export async function runDueChecks(deps: Deps, signal: AbortSignal): Promise<void> {
  const ask = createProber(deps)
  const requested = new Map<TakenRun, Promise<void>>()
  const ended: EndedRun[] = []
  const started = performance.now()
  const start = (run: TakenRun) =>
    requested.set(
      run,
      ask(run).then((judgement) => {
        requested.delete(run)
        ended.push({ run, at: deps.now(), judgement })
      })
    )
  const recording = new AbortController()
  const recorder = recordAll(deps, ended, recording.signal)
  try {
    for (;;) {
      const isOver = signal.aborted || performance.now() - started > longestMs
      const room = isOver ? 0 : Math.min(batch, maxProbes - requested.size)
      const wasIdle = requested.size === 0
      const places = placesOf(requested)
      const taken = room === 0 ? [] : await takeDueRuns(deps.db, { now: deps.now(), limit: room, places })
      for (const run of taken)
        if (run.pauseNow === null) start(run)
        else ended.push({ run, at: deps.now(), judgement: run.pauseNow })
      if (taken.length > 0 && requested.size < maxProbes) continue
      // What had no place when it was looked for has one now.
      if (requested.size === 0 && !wasIdle) continue
      if (requested.size === 0) return
      // A moment for the first of them, or for others to become due beside those that hang.
      await Promise.race([...requested.values(), sleep(recheckMs, undefined, { ref: false })])
    }
  } finally {
    await Promise.all(requested.values())
    recording.abort()
    await recorder
  }
}

/** How many more of each account may be asked now. */
function placesOf(requested: ReadonlyMap<TakenRun, unknown>): Places {
  const left = new Map<string, number>()
  for (const { userId } of requested.keys()) left.set(userId, (left.get(userId) ?? maxProbesPerAccount) - 1)
  return { left, ofOthers: maxProbesPerAccount }
}

/** Writes down what has come together, again and again, and the rest when `signal` fires. */
async function recordAll(deps: Deps, ended: EndedRun[], signal: AbortSignal): Promise<void> {
  for (;;) {
    const isLast = signal.aborted
    while (ended.length > 0) {
      const runs = ended.splice(0, batch)
      await recordRuns(deps, runs).catch((error: unknown) =>
        deps.logger.warn({ runs: runs.length, error: messageOf(error) }, 'could not store uptime check runs')
      )
    }
    if (isLast) return
    await sleep(recordEveryMs, undefined, { signal, ref: false }).catch(() => {}) // Woken to end.
  }
}
