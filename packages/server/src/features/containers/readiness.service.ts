import { setTimeout as sleep } from 'node:timers/promises'
import type { ContainerEngine, ContainerState, Endpoint } from '../../infra/container-engine/container-engine.ts'

const pollMs = 100
// The first page of a site may take its time (WordPress with cold caches); a program that accepts and says nothing is asked again.
const maxProbeMs = 10_000

/** Waits until the container answers HTTP. Resolves with what it waited for in vain, in a sentence; undefined means ready. */
export async function waitUntilReady(
  engine: Pick<ContainerEngine, 'findContainer' | 'answersHttp'>,
  containerId: string,
  endpoint: Endpoint,
  options: { timeoutSeconds: number; signal: AbortSignal }
): Promise<string | undefined> {
  const deadline = performance.now() + options.timeoutSeconds * 1000
  for (;;) {
    options.signal.throwIfAborted()
    const state = await engine.findContainer(containerId)
    const problem = problemOf(state)
    if (problem !== undefined) return problem
    const probeMs = Math.max(pollMs, Math.min(maxProbeMs, deadline - performance.now()))
    if (await engine.answersHttp(endpoint, { timeoutMs: probeMs, signal: options.signal })) return undefined
    if (performance.now() > deadline) {
      return `it did not answer HTTP on port ${endpoint.port} within ${options.timeoutSeconds} s; it must listen on 0.0.0.0 and the port in $PORT`
    }
    await sleep(pollMs, undefined, { signal: options.signal })
  }
}

/** Why this state will not become ready by waiting. */
function problemOf(state: ContainerState | undefined): string | undefined {
  if (!state) return 'the container is gone'
  if (state.outOfMemory) return 'it ran out of memory; raise DEPLOY_MEMORY_LIMIT or make it use less'
  if (state.restarting) return `it stopped with exit code ${state.exitCode} and is started again`
  // A crash loop counts as running between two crashes, and the exit code is that of nobody.
  if (state.restartCount > 0) return 'it stopped and was started again'
  if (!state.running && state.status !== 'created') return `it stopped with exit code ${state.exitCode}`
  return undefined
}
