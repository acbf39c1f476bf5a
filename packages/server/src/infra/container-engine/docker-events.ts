import type { Labels } from './container-engine.ts'
import type { EngineCall, TimeLimits } from './docker-call.ts'
import { labelFilters } from './docker-labels.ts'
import { unavailable } from './engine-unavailable.ts'

const events = ['start', 'die', 'pause', 'unpause', 'destroy']

/** See ContainerEngine.watchContainers. The limit covers connecting only: an idle engine sends no events for days. */
export async function watchContainers(
  { call, limits }: { call: EngineCall; limits: TimeLimits },
  labels: Labels,
  onChange: () => void,
  signal: AbortSignal
): Promise<void> {
  const query = { filters: { type: ['container'], event: events, label: labelFilters(labels) } }
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(unavailable('The container engine is not responding')), limits.ordinary)
  const watch = call(
    Number.POSITIVE_INFINITY,
    async (engine) => {
      const stream = await engine.open('GET', '/events', { query })
      clearTimeout(timer)
      onChange()
      for await (const chunk of stream as AsyncIterable<Buffer>) if (chunk.length > 0) onChange()
      throw unavailable('The container engine closed the event stream')
    },
    { signal: AbortSignal.any([signal, giveUp.signal]) }
  )
  try {
    await watch
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
}
