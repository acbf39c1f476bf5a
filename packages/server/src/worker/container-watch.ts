import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { label } from '../infra/container-engine/labels.ts'

const [reconnectAfterMs, longestPauseMs] = [2_000, 30_000]

/** Calls `onChange` for each change of a container of ours until `signal` fires, and after every time in which it could not know. */
export async function watchContainers(
  { engine, instanceId }: Pick<Dependencies, 'engine' | 'instanceId'>,
  onChange: () => void,
  signal: AbortSignal
): Promise<void> {
  for (let pauseMs = reconnectAfterMs; !signal.aborted;) {
    const startedAt = performance.now()
    // Reconcile steps that need the engine log its absence.
    await engine.watchContainers({ [label.instance]: instanceId }, onChange, signal).catch(() => {})
    const wasConnected = performance.now() - startedAt > pauseMs
    if (wasConnected) pauseMs = reconnectAfterMs
    await sleep(pauseMs, undefined, { signal }).catch(() => {}) // Woken to stop.
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}
