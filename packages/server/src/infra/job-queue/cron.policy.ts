import { Cron } from 'croner'

// croner takes names, `L`, `W`, `#` and more; a line of ours says the same to every cron.
const part = String.raw`(?:(?:\*|\d+-\d+)(?:\/\d+)?|\d+)`
const field = new RegExp(`^${part}(?:,${part})*$`)

/**
 * A line of five fields (minute, hour, day, month, weekday) of numbers, lists, ranges and steps, by the clock of a time zone. Throws on
 * anything else. Where the clock leaps over the time of a day, that day's run is at the end of the leap; a time that the clock shows twice
 * is due once, but for lines that are due in every hour.
 */
export function parseCron(line: string, timezone: string): Cron {
  const fields = line.trim().split(/\s+/)
  if (fields.length !== 5) throw new Error(`a cron line has five fields: ${line}`)
  for (const each of fields) if (!field.test(each)) throw new Error(`not a cron field: ${each}`)
  try {
    return new Cron(fields.join(' '), { timezone, paused: true, mode: '5-part', domAndDow: false })
  } catch (cause) {
    throw new Error(`not a cron line: ${line}`, { cause })
  }
}

/** The newest minute that matches and is not after `now`; undefined where there is none. */
export function latestMatch(cron: Cron, now: Date): Date | undefined {
  // It looks before a whole second.
  const [latest] = cron.previousRuns(1, new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000))
  return latest
}
