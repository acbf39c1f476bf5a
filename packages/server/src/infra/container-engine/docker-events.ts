import type { Labels } from './container-engine.ts'
import type { EngineCall, TimeLimits } from './docker-call.ts'
import { labelFilters } from './docker-labels.ts'
import { unavailable } from './engine-unavailable.ts'

const changes = ['start', 'die', 'pause', 'unpause', 'destroy']

interface Watch {
  call: EngineCall
  limits: TimeLimits
}

/** See ContainerEngine.watchContainers. */
export const watchContainers = (watch: Watch, labels: Labels, onChange: () => void, signal: AbortSignal) =>
  watchEvents(watch, { labels, events: changes, onOpen: onChange, onChunk: onChange }, signal)

/** See ContainerEngine.watchOutOfMemory. */
export function watchOutOfMemory(watch: Watch, labels: Labels, onKill: (id: string) => void, signal: AbortSignal) {
  let rest = ''
  const onChunk = (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id } = JSON.parse(line) as { id?: string }
      if (id !== undefined) onKill(id)
    }
  }
  return watchEvents(watch, { labels, events: ['oom'], onOpen: () => {}, onChunk }, signal)
}

interface Subscription {
  labels: Labels
  events: readonly string[]
  onOpen: () => void
  onChunk: (chunk: Buffer) => void
}

/** The limit covers connecting only: an idle engine sends no events for days. */
async function watchEvents(
  { call, limits }: Watch,
  { labels, events, onOpen, onChunk }: Subscription,
  signal: AbortSignal
): Promise<void> {
  const query = { filters: { type: ['container'], event: [...events], label: labelFilters(labels) } }
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(unavailable('The container engine is not responding')), limits.ordinary)
  const watch = call(
    Number.POSITIVE_INFINITY,
    async (engine) => {
      const stream = await engine.open('GET', '/events', { query })
      clearTimeout(timer)
      onOpen()
      for await (const chunk of stream as AsyncIterable<Buffer>) if (chunk.length > 0) onChunk(chunk)
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
