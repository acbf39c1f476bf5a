/** Of a line: at most three in a chart, each with a colour of its own. */
export interface Line {
  label: string
  token: '--series-1' | '--series-2' | '--series-3'
  /** Null where nothing was measured: nothing is drawn as if it had been. */
  values: readonly (number | null)[]
}

export interface Point {
  at: string
}

/** From when until when, in seconds. */
export interface Span {
  from: number
  to: number
}

const rangeSeconds = { '1h': 3_600, '24h': 86_400, '7d': 7 * 86_400, '30d': 30 * 86_400, '90d': 90 * 86_400 } as const

export const spanOf = (range: keyof typeof rangeSeconds, nowMs: number): Span => {
  const to = Math.floor(nowMs / 1_000)
  return { from: to - rangeSeconds[range], to }
}

/** The points in the order of time; where more than a step lies between two there is one of null, so that the line breaks. */
export function withGaps<Of extends Point>(
  points: readonly Of[],
  stepSeconds: number
): { times: number[]; rows: (Of | null)[] } {
  const times: number[] = []
  const rows: (Of | null)[] = []
  for (const point of points) {
    const at = Date.parse(point.at) / 1_000
    const before = times.at(-1)
    if (before !== undefined && at - before > 1.5 * stepSeconds) {
      times.push(before + stepSeconds)
      rows.push(null)
    }
    times.push(at)
    rows.push(point)
  }
  return { times, rows }
}

/** One for each step of the span, where a point that is not there means that there was nothing. */
export function everyStep<Of extends Point>(
  points: readonly Of[],
  stepSeconds: number,
  { from, to }: Span
): { times: number[]; rows: (Of | null)[] } {
  const known = new Map(points.map((point) => [Date.parse(point.at) / 1_000, point]))
  const first = Math.ceil(from / stepSeconds) * stepSeconds
  const count = Math.max(0, Math.floor((to - first) / stepSeconds) + 1)
  const times = Array.from({ length: count }, (_, step) => first + step * stepSeconds)
  return { times, rows: times.map((time) => known.get(time) ?? null) }
}

/** What has no neighbour: a line cannot show it, a dot can. */
export const lonely = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : []
  )

const rowsOfTable = 24

/** What a person can read out: each row is the mean of its part of the span. */
export function meansOf(times: readonly number[], lines: readonly Line[]) {
  const step = Math.max(1, Math.ceil(times.length / rowsOfTable))
  const starts = Array.from({ length: Math.ceil(times.length / step) }, (_, part) => part * step)
  return starts.map((start) => ({
    at: new Date(times[start]! * 1_000).toISOString(),
    means: lines.map(({ values }) => mean(values.slice(start, start + step)))
  }))
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** The last that is known. */
export const lastOf = ({ values }: Line): number | null => values.findLast((value) => value !== null) ?? null
