/** A parsed cron line: per field, the values that match. */
interface Cron {
  minutes: ReadonlySet<number>
  hours: ReadonlySet<number>
  days: ReadonlySet<number>
  months: ReadonlySet<number>
  weekdays: ReadonlySet<number>
  /** As cron has it: when both days are restricted, one that matches is enough. */
  eitherDay: boolean
}

const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7]
] as const
const minuteMs = 60_000
const hourMs = 3600_000
const dayMs = 24 * hourMs
// The 29th of February is at most eight years away.
const searchDays = 8 * 366

/** Five fields (minute, hour, day, month, weekday) of numbers, lists, ranges and steps. Throws on anything else. */
export function parseCron(line: string): Cron {
  const fields = line.trim().split(/\s+/)
  if (fields.length !== ranges.length) throw new Error(`a cron line has five fields: ${line}`)
  const [minutes, hours, days, months, weekdays] = fields.map((field, index) => parseField(field, ranges[index]!))
  const eitherDay = !fields[2]!.startsWith('*') && !fields[4]!.startsWith('*')
  return {
    minutes: minutes!,
    hours: hours!,
    days: days!,
    months: months!,
    weekdays: new Set([...weekdays!].map((day) => day % 7)), // Sunday is 0 and 7.
    eitherDay
  }
}

/** The newest minute that matches and is not after `now`, in UTC; undefined when there is none in eight years. */
export function latestMatch(cron: Cron, now: Date): Date | undefined {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  for (let day = today; day > today - searchDays * dayMs; day -= dayMs) {
    if (!matchesDay(cron, new Date(day))) continue
    for (let hour = 23; hour >= 0; hour--) {
      if (!cron.hours.has(hour)) continue
      for (let minute = 59; minute >= 0; minute--) {
        const at = day + hour * hourMs + minute * minuteMs
        if (at <= now.getTime() && cron.minutes.has(minute)) return new Date(at)
      }
    }
  }
  return undefined
}

function matchesDay(cron: Cron, day: Date): boolean {
  if (!cron.months.has(day.getUTCMonth() + 1)) return false
  const byDay = cron.days.has(day.getUTCDate())
  const byWeekday = cron.weekdays.has(day.getUTCDay())
  return cron.eitherDay ? byDay || byWeekday : byDay && byWeekday
}

function parseField(field: string, [lowest, highest]: readonly [number, number]): Set<number> {
  const values = new Set<number>()
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    if (!match) throw new Error(`not a cron field: ${field}`)
    const [, from, to, step] = match
    const first = from === undefined ? lowest : Number(from)
    const last = to === undefined ? (from === undefined || step !== undefined ? highest : first) : Number(to)
    const every = Number(step ?? 1)
    if (first < lowest || last > highest || first > last || every < 1)
      throw new Error(`out of range in a cron line: ${field}`)
    for (let value = first; value <= last; value += every) values.add(value)
  }
  return values
}
