/**
 * The next serial of a zone: `YYYYMMDDnn` of the day in UTC, beginning with 01, and always greater than the one before: a hundredth edit
 * in a day runs on into the next day's numbers, as does one after the clock went back. At the end of its 32 bits it starts again from
 * the date, which RFC 1982 counts as greater while that is below 2^31, until the year 2147; after it, from 1.
 */
export function nextSerial(previous: number, now: Date): number {
  const date = Number(now.toISOString().slice(0, 10).replaceAll('-', ''))
  const today = date * 100 + 1
  if (previous >= highest) return today < 2 ** 31 ? today : 1
  return Math.max(previous + 1, today <= highest ? today : 0)
}

const highest = 2 ** 32 - 1
