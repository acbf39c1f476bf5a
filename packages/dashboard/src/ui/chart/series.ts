export interface Line {
  label: string
  token: '--series-1' | '--series-2' | '--series-3'
  /** Null: not measured; drawn as a gap. */
  values: readonly (number | null)[]
}

export interface Point {
  at: string
}

export interface Span {
  from: number
  to: number
}

const rangeSeconds = { '1h': 3_600, '24h': 86_400, '7d': 7 * 86_400, '30d': 30 * 86_400, '90d': 90 * 86_400 } as const

export const spanOf = (range: keyof typeof rangeSeconds, nowMs: number): Span => {
  const to = Math.floor(nowMs / 1_000)
  return { from: to - rangeSeconds[range], to }
}

/** Sorted by time, with a null point in every gap longer than one step so that the line breaks. */
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

/** One point per step; missing points count as zero. */
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

/** Points without neighbors: a line cannot show them, so they are drawn as dots. */
export const lonely = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : []
  )

const rowsOfTable = 24

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

export const lastOf = ({ values }: Line): number | null => values.findLast((value) => value !== null) ?? null
