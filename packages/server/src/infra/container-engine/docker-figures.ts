import type { ContainerFigures } from './container-engine.ts'
import type { ContainerStats } from './docker-answers.ts'
import { type EngineCall, type TimeLimits, unlessMissing } from './docker-call.ts'

const containerId = /^[0-9a-f]{64}$/
const atOnce = 4
const oneMs = 2_000
const allMs = 10_000

/** See ContainerEngine.readFigures. Without `one-shot` the engine takes a second to sample twice. */
export function createFiguresReader({ call, limits }: { call: EngineCall; limits: TimeLimits }) {
  const query = { stream: false, 'one-shot': true }
  return async (ids: readonly string[]): Promise<Map<string, ContainerFigures>> => {
    const found = new Map<string, ContainerFigures>()
    const deadline = performance.now() + allMs
    const rest = ids.filter((id) => containerId.test(id))
    const readRest = async () => {
      for (let id; performance.now() < deadline && (id = rest.shift()) !== undefined;) {
        const path = `/containers/${id}/stats`
        const requested = call(Math.min(oneMs, limits.short), (engine) =>
          engine.ask<ContainerStats>('GET', path, { query })
        )
        const figures = figuresOf(await unlessMissing(requested))
        if (figures) found.set(id, figures)
      }
    }
    try {
      await Promise.all(Array.from({ length: atOnce }, readRest))
    } finally {
      rest.length = 0 // one failure ends all readers
    }
    return found
  }
}

function figuresOf(stats: ContainerStats | undefined): ContainerFigures | undefined {
  const { usage, limit, stats: kinds = {} } = stats?.memory_stats ?? {}
  if (usage === undefined) return undefined
  const nanoseconds = stats?.cpu_stats?.cpu_usage?.total_usage
  const networks = stats?.networks && Object.values(stats.networks)
  return {
    cpuSeconds: nanoseconds === undefined ? undefined : nanoseconds / 1e9,
    memoryUsed: Math.max(0, usage - (kinds.total_inactive_file ?? kinds.inactive_file ?? 0)),
    memoryLimit: limit,
    network: networks && {
      received: networks.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0),
      sent: networks.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0)
    }
  }
}
