import { Cron } from 'croner'

// croner also accepts names, `L`, `W` and `#`; only syntax common to all crons is allowed.
const part = String.raw`(?:(?:\*|\d+-\d+)(?:\/\d+)?|\d+)`
const field = new RegExp(`^${part}(?:,${part})*$`)

/**
 * Parses a five-field cron line (minute, hour, day, month, weekday) of numbers, lists, ranges and steps in a time zone.
 * Throws on anything else. A time skipped by a DST change runs at the end of the gap; a repeated time runs once, except
 * for hourly lines.
 */
export function parseCron(line: string, timezone: string): Cron {
  const fields = line.trim().split(/\s+/)
  if (fields.length !== 5) throw new Error(`a cron line needs five fields: ${line}`)
  for (const each of fields) if (!field.test(each)) throw new Error(`invalid cron field: ${each}`)
  try {
    return new Cron(fields.join(' '), { timezone, paused: true, mode: '5-part', domAndDow: false })
  } catch (cause) {
    throw new Error(`invalid cron line: ${line}`, { cause })
  }
}

/** The latest matching minute at or before `now`; undefined if there is none. */
export function latestMatch(cron: Cron, now: Date): Date | undefined {
  const [latest] = cron.previousRuns(1, new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000))
  return latest
}
