/** `YYYYMMDDnn`, always greater than `previous`, also after 99 edits in a day. Wraps as RFC 1982 allows, until 2147. */
export function nextSerial(previous: number, now: Date): number {
  const date = Number(now.toISOString().slice(0, 10).replaceAll('-', ''))
  const today = date * 100 + 1
  if (previous >= highest) return today < 2 ** 31 ? today : 1
  return Math.max(previous + 1, today <= highest ? today : 0)
}

const highest = 2 ** 32 - 1
