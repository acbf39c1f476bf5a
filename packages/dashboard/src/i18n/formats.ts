import { lazily } from './lazily.ts'
import { timeAtWall, wallTimeIn } from './zoned-time.ts'

export interface Formats {
  relative(time: string, now?: number): string
  dateTime(time: string): string
  /** Powers of 1024 with decimal names, like file managers: 1.4 MB. */
  bytes(count: number): string
  number(value: number): string
  /** 0.4s, 12s, 2m 5s, 1h 3m. */
  duration(seconds: number): string
  /** 0.5 is 50%. */
  percent(share: number): string
  /** IANA name: the user’s, else the browser’s. */
  timeZone: string
  /** Value for a datetime-local input in the user’s zone: 2026-01-31T12:30. */
  fieldTime(time: string): string
  fromFieldTime(text: string): string
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** Upper bounds of each unit, in seconds. */
const steps = [
  { below: 45 * minute, unit: 'minute', seconds: minute },
  { below: 22 * hour, unit: 'hour', seconds: hour },
  { below: 26 * day, unit: 'day', seconds: day },
  { below: 320 * day, unit: 'month', seconds: 30.4 * day },
  { below: Infinity, unit: 'year', seconds: 365.25 * day }
] as const
const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Cached: creating one takes milliseconds on a phone, and a list formats hundreds of values. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = JSON.stringify([locale, options])
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(key, format)
  return format
}

/** Formatters of dates are created on first use: each takes milliseconds, and a page uses one or two. */
export function formatsOf(locale: string, timezone?: string): Formats {
  const timeZone = timezone !== undefined && isTimeZone(timezone) ? timezone : undefined
  const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
  const dateTime = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }))
  const zone = () => timeZone ?? dateTime().resolvedOptions().timeZone
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
      // The short style has no plural for bytes.
      const unitDisplay = step === 0 ? 'long' : 'short'
      const options = { style: 'unit', unit: sizeUnits[step]!, unitDisplay, maximumFractionDigits } as const
      return numberFormat(locale, options).format(value)
    },
    number: (value) => numberFormat(locale).format(value),
    duration: (seconds) => durationOf(locale, seconds),
    percent: (share) => numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share),
    get timeZone() {
      return zone()
    },
    fieldTime: (time) => wallTimeIn(zone(), new Date(time)),
    fromFieldTime: (text) => timeAtWall(zone(), text).toISOString()
  }
}

function durationOf(locale: string, seconds: number): string {
  const unit = (value: number, name: string, maximumFractionDigits = 0) =>
    numberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits }).format(value)
  if (seconds < 9.95) return unit(seconds, 'second', 1)
  const whole = Math.round(seconds)
  if (whole < minute) return unit(whole, 'second')
  if (whole < hour) return `${unit(Math.floor(whole / minute), 'minute')} ${unit(whole % minute, 'second')}`
  return `${unit(Math.floor(whole / hour), 'hour')} ${unit(Math.floor((whole % hour) / minute), 'minute')}`
}

/** The server may know zones that an older browser does not. */
function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
