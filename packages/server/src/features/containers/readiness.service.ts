import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureCode } from '@panel/contract/failure-texts'
import type { HealthCheck } from '@panel/contract/health-checks'
import type { Sentence } from '@panel/contract/sentences'
import type { ContainerEngine, ContainerState, Endpoint } from '../../infra/container-engine/container-engine.ts'

const pollMs = 100
// The first page may be slow (WordPress with cold caches).
const maxProbeMs = 10_000

interface Readiness {
  /** Null: any HTTP response will do. Without a path: an open port will do. */
  health: HealthCheck | null
  hostname: string
  /** Applies where the health check has no own limit. */
  timeoutSeconds: number
  signal: AbortSignal
}

/** Resolves with undefined once the container answers as it should, else with the reason why it will not. */
export async function waitUntilReady(
  engine: Pick<ContainerEngine, 'acceptsConnections' | 'findContainer' | 'httpStatus'>,
  containerId: string,
  endpoint: Endpoint,
  { health, hostname, signal, ...options }: Readiness
): Promise<Sentence<FailureCode> | undefined> {
  const seconds = health?.graceSeconds ?? options.timeoutSeconds
  const deadline = performance.now() + seconds * 1000
  const limitMs = health === null ? maxProbeMs : health.timeoutSeconds * 1000
  const isHttp = health?.path !== null
  const path = health?.path ?? '/'
  let answer: number | undefined
  for (;;) {
    signal.throwIfAborted()
    const problem = problemOf(await engine.findContainer(containerId))
    if (problem !== undefined) return problem
    const timeoutMs = Math.ceil(Math.max(pollMs, Math.min(limitMs, deadline - performance.now())))
    if (isHttp) answer = (await engine.httpStatus(endpoint, { path, hostname, timeoutMs, signal })) ?? answer
    if (answer !== undefined && isExpected(answer, health)) return undefined
    const isDue = performance.now() > deadline
    const isOpen = (!isHttp || isDue) && (await engine.acceptsConnections(endpoint, { timeoutMs, signal }))
    if (!isHttp && isOpen) return undefined
    if (isDue) return notReady(health, { answer, isOpen, port: endpoint.port, seconds })
    await sleep(pollMs, undefined, { signal })
  }
}

const isExpected = (answer: number, health: HealthCheck | null): boolean =>
  health === null || (health.status === null ? answer >= 200 && answer < 400 : answer === health.status)

function notReady(
  health: HealthCheck | null,
  found: { answer: number | undefined; isOpen: boolean; port: number; seconds: number }
): Sentence<FailureCode> {
  const [port, seconds] = [String(found.port), String(found.seconds)]
  if (health === null) return { code: found.isOpen ? 'NOT_HTTP' : 'NO_ANSWER', values: { port, seconds } }
  if (health.path === null) return { code: 'NOT_LISTENING', values: { port, seconds } }
  const { path, status, timeoutSeconds } = health
  return found.answer === undefined
    ? { code: 'NOT_HEALTHY_SILENT', values: { path, port, seconds, timeout: String(timeoutSeconds) } }
    : {
        code: 'NOT_HEALTHY',
        values: { path, seconds, status: String(found.answer), expected: status === null ? '200–399' : String(status) }
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
