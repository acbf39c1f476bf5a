import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { label } from '../infra/container-engine/labels.ts'

const [reconnectAfterMs, longestPauseMs] = [2_000, 30_000]

/** Also calls `onChange` after each reconnect, because events may have been missed. */
export async function watchContainers(
  { engine, instanceId }: Pick<Dependencies, 'engine' | 'instanceId'>,
  onChange: () => void,
  signal: AbortSignal
): Promise<void> {
  for (let pauseMs = reconnectAfterMs; !signal.aborted;) {
    const startedAt = performance.now()
    await engine.watchContainers({ [label.instance]: instanceId }, onChange, signal).catch(() => {})
    const wasConnected = performance.now() - startedAt > pauseMs
    if (wasConnected) pauseMs = reconnectAfterMs
    await sleep(pauseMs, undefined, { signal }).catch(() => {}) // Woken up to stop.
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}
