/** Wall-clock time in a zone, for a datetime-local input: `2026-11-24T10:15`. */
export function wallTimeIn(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit'
  }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`
}

/** Instant of a wall-clock time. A repeated hour maps to either instant, a skipped one to an hour later. */
export function timeAtWall(timeZone: string, wall: string): Date {
  const asUtc = Date.parse(`${wall}Z`)
  const offsetAt = (time: number) => Date.parse(`${wallTimeIn(timeZone, new Date(time))}Z`) - time
  const guess = asUtc - offsetAt(asUtc)
  const time = asUtc - offsetAt(guess)
  return new Date(wallTimeIn(timeZone, new Date(time)) === wall.slice(0, 16) ? time : Math.max(guess, time))
}
