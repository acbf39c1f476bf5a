import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureCode } from '@panel/contract/failure-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { ContainerEngine, ContainerState, Endpoint } from '../../infra/container-engine/container-engine.ts'

const pollMs = 100
// The first page may be slow (WordPress with cold caches).
const maxProbeMs = 10_000

/** Resolves with undefined once the container answers HTTP, else with the reason why it will not. */
export async function waitUntilReady(
  engine: Pick<ContainerEngine, 'findContainer' | 'answersHttp'>,
  containerId: string,
  endpoint: Endpoint,
  options: { timeoutSeconds: number; signal: AbortSignal }
): Promise<Sentence<FailureCode> | undefined> {
  const deadline = performance.now() + options.timeoutSeconds * 1000
  for (;;) {
    options.signal.throwIfAborted()
    const state = await engine.findContainer(containerId)
    const problem = problemOf(state)
    if (problem !== undefined) return problem
    const probeMs = Math.max(pollMs, Math.min(maxProbeMs, deadline - performance.now()))
    if (await engine.answersHttp(endpoint, { timeoutMs: probeMs, signal: options.signal })) return undefined
    if (performance.now() > deadline) {
      return { code: 'NO_ANSWER', values: { port: String(endpoint.port), seconds: String(options.timeoutSeconds) } }
    }
    await sleep(pollMs, undefined, { signal: options.signal })
  }
}

function problemOf(state: ContainerState | undefined): Sentence<FailureCode> | undefined {
  if (!state) return { code: 'CONTAINER_GONE' }
  if (state.outOfMemory) return { code: 'OUT_OF_MEMORY' }
  const values = { exitCode: String(state.exitCode) }
  if (state.restarting) return { code: 'EXITED_AND_RESTARTED', values }
  // A crash-looping container counts as running between two crashes, and its exit code is meaningless then.
  if (state.restartCount > 0) return { code: 'RESTARTED' }
  if (!state.running && state.status !== 'created') return { code: 'EXITED', values }
  return undefined
}
