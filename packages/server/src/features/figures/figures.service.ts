import type { Figure } from '@panel/contract/figures'
import type { MetricRange } from '@panel/contract/monitoring'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { FigureSource, MetricFamily } from '../metric-source.ts'
import { minuteOf, windowOf } from '../monitoring/history.policy.ts'
import { figureDays, figureMinutes } from './figures.policy.ts'
import { deleteFigures, type FigurePoint, listFigures, saveFigures } from './figures.repository.ts'

// All sources together must finish within one interval of five minutes.
const timeoutMs = 20_000

const sourcesOf = (features: Dependencies['features']): FigureSource[] =>
  features.flatMap(({ figures }) => figures ?? [])

export const figureFamilies = (features: Dependencies['features']): MetricFamily[] =>
  sourcesOf(features).flatMap(({ families }) => families)

/** A source that fails or hangs does not affect the others. */
export async function recordFigures(deps: Dependencies): Promise<void> {
  const { db, nodeId, now, features } = deps
  const recordedAt = minuteOf(now())
  const points = await Promise.all(sourcesOf(features).map((source) => readPoints(deps, source)))
  await saveFigures(db, nodeId, recordedAt, points.flat())
  await deleteFigures(db, new Date(recordedAt.getTime() - figureDays * 24 * 3_600_000))
}

async function readPoints(deps: Dependencies, { families, read }: FigureSource): Promise<FigurePoint[]> {
  try {
    const samples = await withTimeLimit(read(deps, figureMinutes), timeoutMs)
    return samples.map(({ family, labels = {}, value }) => ({ name: family, labels: textsOf(labels), value }))
  } catch (error) {
    deps.logger.warn({ error: messageOf(error), figures: families.map(({ name }) => name) }, 'could not read metrics')
    return []
  }
}

const textsOf = (labels: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

export async function figureHistory(
  { db, nodeId, now, features }: Pick<Dependencies, 'db' | 'nodeId' | 'now' | 'features'>,
  range: MetricRange
): Promise<Figure[]> {
  const helps = new Map(figureFamilies(features).map(({ name, help }) => [name, help]))
  const window = windowOf(range, now())
  const found = new Map<string, Figure>()
  for (const { name, labels, recordedAt, value } of await listFigures(db, nodeId, {
    ...window,
    minutes: Math.max(window.minutes, figureMinutes)
  })) {
    const help = helps.get(name)
    // Recorded by another version.
    if (help === undefined) continue
    const key = JSON.stringify([name, labels])
    const figure = found.get(key) ?? { name, labels, help, points: [] }
    figure.points.push({ recordedAt: recordedAt.toISOString(), value })
    found.set(key, figure)
  }
  return [...found.values()]
}
