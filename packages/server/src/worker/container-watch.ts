import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { label } from '../infra/container-engine/labels.ts'

const reconnectAfterMs = 2_000

/** Calls `onChange` for each change of a container of ours until `signal` fires, and after every time in which it could not know. */
export async function watchContainers(
  { engine, instanceId }: Pick<Dependencies, 'engine' | 'instanceId'>,
  onChange: () => void,
  signal: AbortSignal
): Promise<void> {
  while (!signal.aborted) {
    // An engine that is away is logged by the reconcile steps that need it.
    await engine.watchContainers({ [label.instance]: instanceId }, onChange, signal).catch(() => {})
    await sleep(reconnectAfterMs, undefined, { signal }).catch(() => {}) // Woken to stop.
  }
}
