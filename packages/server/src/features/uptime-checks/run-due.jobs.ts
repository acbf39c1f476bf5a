import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { createProber } from './probing.service.ts'
import { type EndedRun, recordRuns } from './recording.service.ts'
import { type Places, takeDueRuns, type TakenRun } from './runs.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'logger' | 'now'>

/** Concurrent requests per process: several hundred runs a minute even if all of them time out. */
const maxProbes = 256
/** Concurrent requests per account, so that its hanging sites do not delay the checks of others. */
const maxProbesPerAccount = 32
const batch = 128
const recordEveryMs = 250
const recheckMs = 500
/** Maximum duration of this job; the next one continues. */
const longestMs = 240_000

/** Runs checks until none is due. Safe in several processes: each run is taken by one of them. */
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
      // All slots are free now, so look for runs that were skipped because of the limits.
      if (requested.size === 0 && !wasIdle) continue
      if (requested.size === 0) return
      // Wait for the first result, but not long: other checks may become due while some hang.
      await Promise.race([...requested.values(), sleep(recheckMs, undefined, { ref: false })])
    }
  } finally {
    await Promise.all(requested.values())
    recording.abort()
    await recorder
  }
}

/** Free slots per account. */
function placesOf(requested: ReadonlyMap<TakenRun, unknown>): Places {
  const left = new Map<string, number>()
  for (const { userId } of requested.keys()) left.set(userId, (left.get(userId) ?? maxProbesPerAccount) - 1)
  return { left, ofOthers: maxProbesPerAccount }
}

/** Records ended runs in batches until `signal` fires, then the rest. */
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
    await sleep(recordEveryMs, undefined, { signal, ref: false }).catch(() => {}) // Aborted: record the rest.
  }
}
