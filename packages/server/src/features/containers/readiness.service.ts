import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureCode } from '@panel/contract/failure-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { ContainerEngine, ContainerState, Endpoint } from '../../infra/container-engine/container-engine.ts'

const pollMs = 100
// The first page of a site may take its time (WordPress with cold caches); a program that accepts and says nothing is asked again.
const maxProbeMs = 10_000

/** Waits until the container answers HTTP. Resolves with why it will not be; undefined means ready. */
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

/** Why this state will not become ready by waiting. */
function problemOf(state: ContainerState | undefined): Sentence<FailureCode> | undefined {
  if (!state) return { code: 'CONTAINER_GONE' }
  if (state.outOfMemory) return { code: 'OUT_OF_MEMORY' }
  const values = { exitCode: String(state.exitCode) }
  if (state.restarting) return { code: 'EXITED_AND_RESTARTED', values }
  // A crash loop counts as running between two crashes, and the exit code is that of nobody.
  if (state.restartCount > 0) return { code: 'RESTARTED' }
  if (!state.running && state.status !== 'created') return { code: 'EXITED', values }
  return undefined
}
