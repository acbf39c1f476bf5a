import { lazily } from './lazily.ts'
import { timeAtWall, wallTimeIn } from './zoned-time.ts'

export interface Formats {
  /** "5 min. ago", "in 3 days". */
  relative(time: string, now?: number): string
  /** Exact, in the zone of the reader. */
  dateTime(time: string): string
  /** In binary steps with decimal names, as file managers have it: 1.4 MB. */
  bytes(count: number): string
  number(value: number): string
  /** 0.5 is 50 %. */
  percent(share: number): string
  /** Of IANA: the reader's, else that of the browser. */
  timeZone: string
  /** A moment as a field of date and time has it, in the zone of the reader: 2026-01-31T12:30. */
  fieldTime(time: string): string
  /** The moment that such a field means. */
  fromFieldTime(text: string): string
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** Until when a step is used, in seconds, and its length. */
const steps = [
  { below: 45 * minute, unit: 'minute', seconds: minute },
  { below: 22 * hour, unit: 'hour', seconds: hour },
  { below: 26 * day, unit: 'day', seconds: day },
  { below: 320 * day, unit: 'month', seconds: 30.4 * day },
  { below: Infinity, unit: 'year', seconds: 365.25 * day }
] as const
const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Without a zone, that of the browser. Each of its formatters is made when it is used: that takes milliseconds, and a page uses one or two. */
export function formatsOf(locale: string, timezone?: string): Formats {
  const timeZone = timezone !== undefined && isTimeZone(timezone) ? timezone : undefined
  const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
  const dateTime = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }))
  const zone = () => timeZone ?? dateTime().resolvedOptions().timeZone
  const number = lazily(() => new Intl.NumberFormat(locale))
  const percent = lazily(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))
  return {
    relative(time, now = Date.now()) {
      const seconds = (Date.parse(time) - now) / 1000
      const step = steps.find(({ below }) => Math.abs(seconds) < below)!
      return relative().format(Math.round(seconds / step.seconds), step.unit)
    },
    dateTime: (time) => dateTime().format(new Date(time)),
    bytes(count) {
      const step = count < 1024 ? 0 : Math.min(sizeUnits.length - 1, Math.floor(Math.log2(count) / 10))
      const value = count / 1024 ** step
      const maximumFractionDigits = step > 0 && value < 10 ? 1 : 0
      // Short, bytes would have no plural.
      const unitDisplay = step === 0 ? 'long' : 'short'
      const options = { style: 'unit', unit: sizeUnits[step]!, unitDisplay, maximumFractionDigits } as const
      return new Intl.NumberFormat(locale, options).format(value)
    },
    number: (value) => number().format(value),
    percent: (share) => percent().format(share),
    get timeZone() {
      return zone()
    },
    fieldTime: (time) => wallTimeIn(zone(), new Date(time)),
    fromFieldTime: (text) => timeAtWall(zone(), text).toISOString()
  }
}

/** A zone that the server knows may be too new for a browser. */
function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
