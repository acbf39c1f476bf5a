import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContainerEngine, ContainerState } from '../../infra/container-engine/container-engine.ts'

const pollMs = 100
// The first page of a site may take its time (WordPress with cold caches); a program that accepts and says nothing is asked again.
const maxProbeMs = 10_000

/**
 * Waits until the container answers HTTP: any status will do, but a byte must come. An accepted connection proves nothing, since
 * the engine's own proxy accepts for a program that does not listen yet. Resolves with what it waited
 * for in vain, in a sentence; undefined means ready.
 */
export async function waitUntilReady(
  engine: Pick<ContainerEngine, 'findContainer'>,
  containerId: string,
  target: { address: string; port: number },
  options: { timeoutSeconds: number; signal: AbortSignal }
): Promise<string | undefined> {
  const deadline = performance.now() + options.timeoutSeconds * 1000
  for (;;) {
    options.signal.throwIfAborted()
    const state = await engine.findContainer(containerId)
    const problem = problemOf(state)
    if (problem !== undefined) return problem
    const probeMs = Math.max(pollMs, Math.min(maxProbeMs, deadline - performance.now()))
    if (await answersHttp(target, probeMs, options.signal)) return undefined
    if (performance.now() > deadline) {
      return `it did not answer HTTP on port ${target.port} within ${options.timeoutSeconds} s; it must listen on 0.0.0.0 and the port in $PORT`
    }
    await sleep(pollMs, undefined, { signal: options.signal })
  }
}

/** Why this state will not become ready by waiting. */
export function problemOf(state: ContainerState | undefined): string | undefined {
  if (!state) return 'the container is gone'
  if (state.outOfMemory) return 'it ran out of memory; raise DEPLOY_MEMORY_LIMIT or make it use less'
  if (state.restarting) return `it stopped with exit code ${state.exitCode} and is started again`
  // A crash loop counts as running between two crashes, and the exit code is that of nobody.
  if (state.restartCount > 0) return 'it stopped and was started again'
  if (!state.running && state.status !== 'created') return `it stopped with exit code ${state.exitCode}`
  return undefined
}

function answersHttp(
  target: { address: string; port: number },
  timeoutMs: number,
  signal: AbortSignal
): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(
      {
        host: target.address,
        port: target.port,
        method: 'GET',
        path: '/',
        timeout: timeoutMs,
        signal,
        agent: false,
        headers: { 'User-Agent': 'panel-readiness', Connection: 'close' }
      },
      (response) => {
        response.destroy()
        resolve(true)
      }
    )
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(false))
    probe.end()
  })
}
