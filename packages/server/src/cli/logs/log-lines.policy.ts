/** A line and when it was written: lines without a time follow the one before. */
export interface LogLine {
  part: string
  /** Milliseconds since 1970; undefined if no line so far had one. */
  at: number | undefined
  text: string
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Reader = (match: RegExpExecArray, now: Date) => number

/** How programs write the time, each in the zone that it uses. */
const formats: readonly [RegExp, Reader][] = [
  // pino, dockerd and Knot: RFC 3339, perhaps with microseconds and without a colon in the zone.
  [
    /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:?\d{2})/,
    ([, time, fraction = '', zone]) =>
      Date.parse(`${time}${fraction.slice(0, 4)}${zone!.replace(/^(...)(\d\d)$/, '$1:$2')}`)
  ],
  // PostgreSQL, which writes UTC.
  [/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?) UTC/, ([, day, time]) => Date.parse(`${day}T${time}Z`)],
  // MariaDB and Rspamd, in local time.
  [
    /^(\d{4}-\d{2}-\d{2}) {1,2}(\d{1,2}):(\d{2}:\d{2})/,
    ([, day, hour, rest]) => Date.parse(`${day}T${hour!.padStart(2, '0')}:${rest}`)
  ],
  // Redis, in local time.
  [
    /\b(\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2})(\.\d+)?/,
    ([, day, month, year, time]) => Date.parse(`${year}-${pad(months.indexOf(month!) + 1)}-${day}T${time}`)
  ],
  // Postfix, Dovecot and OpenDKIM: syslog without a year, in local time.
  [
    /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2})/,
    ([, month, day, time], now) => withoutYear(month!, day!, time!, now)
  ]
]

export function timeOf(text: string, now: Date): number | undefined {
  for (const [pattern, read] of formats) {
    const match = pattern.exec(text.slice(0, 200))
    const at = match ? read(match, now) : NaN
    if (!Number.isNaN(at)) return at
  }
  return undefined
}

/** The latest such day that is not in the future, with a day of tolerance for clocks. */
function withoutYear(month: string, day: string, time: string, now: Date): number {
  const at = (year: number) => Date.parse(`${year}-${pad(months.indexOf(month) + 1)}-${day.padStart(2, '0')}T${time}`)
  const thisYear = at(now.getFullYear())
  return thisYear > now.getTime() + 86_400_000 ? at(now.getFullYear() - 1) : thisYear
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** Lines of one log, each with its time. */
export function readLines(part: string, text: string, now: Date): LogLine[] {
  let at: number | undefined
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      at = timeOf(line, now) ?? at
      return { part, at, text: line }
    })
}

/** In order of time; lines of one part keep their order, and those without a time come first. */
export function selectLines(
  logs: readonly (readonly LogLine[])[],
  since: number | undefined,
  count: number
): LogLine[] {
  const all = logs
    .flat()
    .filter(({ at }) => since === undefined || (at !== undefined && at >= since))
    .map((line, index) => ({ line, index }))
  all.sort((a, b) => (a.line.at ?? 0) - (b.line.at ?? 0) || a.index - b.index)
  return all.slice(-count).map(({ line }) => line)
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `30m`, `1h` or `2d` before now, or a date; undefined if it is neither. */
export function sinceOf(text: string, now: Date): number | undefined {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  if (amount !== undefined && unit !== undefined) return now.getTime() - Number(amount) * units[unit]!
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
