const units = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1]
] as const

export function ttlText(seconds: number): string {
  let rest = seconds
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : [`${count}${unit}`]
  })
  return parts.join(' ') || '0s'
}

/** Parses seconds or a duration; undefined if invalid. */
export function secondsOf(text: string): number | undefined {
  const written = text.replaceAll(/\s+/g, '').toLowerCase()
  if (/^\d{1,10}$/.test(written)) return Number(written)
  if (!/^(\d{1,10}[wdhms])+$/.test(written)) return undefined
  return units.reduce((sum, [unit, length]) => {
    const counts = [...written.matchAll(new RegExp(`(\\d+)${unit}`, 'g'))].map((match) => Number(match[1]))
    return sum + length * counts.reduce((all, count) => all + count, 0)
  }, 0)
}
