import type { Dependencies } from '../../dependencies.ts'
import type { ContainerReading } from '../../infra/host-metrics/host-metrics.ts'
import { monotonicMs } from '../../time/monotonic-clock.ts'
import { messageOf } from '../../text/message-of.ts'

type Deps = Pick<Dependencies, 'engine' | 'hostMetrics' | 'logger'>

/** Pause before a stopped container or an unresponsive engine is queried again. */
const pauseMs = 60_000

interface Pauses {
  engineUntil: number
  byId: Map<string, number>
}
const pausesOf = new WeakMap<Deps['engine'], Pauses>()

/** Usage of running containers from their cgroups; queries the engine only for cgroups that are not visible. Never rejects. */
export async function readContainers(
  deps: Deps,
  ids: readonly string[]
): Promise<ReadonlyMap<string, ContainerReading>> {
  const seen = await deps.hostMetrics.readContainers(ids)
  const hidden = ids.filter((id) => !seen.has(id))
  return hidden.length === 0 ? seen : new Map([...seen, ...(await readEngine(deps, hidden))])
}

async function readEngine({ engine, logger }: Deps, ids: readonly string[]): Promise<Map<string, ContainerReading>> {
  const pauses = pausesOf.get(engine) ?? { engineUntil: 0, byId: new Map<string, number>() }
  pausesOf.set(engine, pauses)
  const now = monotonicMs()
  if (now < pauses.engineUntil) return new Map()
  for (const [id, until] of pauses.byId) if (now >= until) pauses.byId.delete(id)
  const requested = ids.filter((id) => !pauses.byId.has(id))
  if (requested.length === 0) return new Map()
  try {
    const figures = await engine.readFigures(requested)
    const atMs = monotonicMs()
    for (const id of requested) if (!figures.has(id)) pauses.byId.set(id, atMs + pauseMs)
    return new Map([...figures].map(([id, of]) => [id, { atMs, ...of }]))
  } catch (error) {
    pauses.engineUntil = monotonicMs() + pauseMs
    logger.debug({ error: messageOf(error) }, 'container metrics')
    return new Map()
  }
}
