export interface QuietHours {
  /** `HH:MM` in the time zone; the end is exclusive. An end before the start is on the next day. */
  from: string
  to: string
  timezone: string
}

const minuteMs = 60_000

/**
 * The end of the current quiet hours; undefined outside. Uses local wall-clock time, so it is right across DST changes.
 */
export function quietUntil(now: Date, hours: QuietHours): Date | undefined {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: hours.timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  })
  const isQuiet = (at: Date) => {
    const time = clock.format(at)
    return hours.from <= hours.to ? hours.from <= time && time < hours.to : time >= hours.from || time < hours.to
  }
  if (!isQuiet(now)) return undefined
  let at = Math.floor(now.getTime() / minuteMs) * minuteMs
  const last = at + 26 * 60 * minuteMs
  while (at < last && isQuiet(new Date(at))) at += minuteMs
  return new Date(at)
}
