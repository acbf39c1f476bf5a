export interface QuietHours {
  /** `HH:MM`, by the clock of the time zone. The end is outside; one before the beginning is on the next day. */
  from: string
  to: string
  timezone: string
}

const minuteMs = 60_000

/** When the quiet hours that the time is in end; undefined outside. By the clock on the wall, so that they end right on days that are longer or shorter. */
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
