/** New lines between two tails of a log. Without overlap (a new container) all lines are new. */
export function newLines(before: string, now: string): string {
  const old = linesOf(before)
  const lines = linesOf(now)
  for (let common = Math.min(old.length, lines.length); common > 0; common -= 1)
    if (lines.slice(0, common).every((line, at) => line === old[old.length - common + at]))
      return textOf(lines.slice(common))
  return textOf(lines)
}

export const lastLines = (text: string, count: number): string => (count < 1 ? '' : textOf(linesOf(text).slice(-count)))

export const countLines = (text: string): number => linesOf(text).length

const secondsOf = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A time, or a duration before `now` (`10m`); undefined if the text is neither. */
export function timeIn(text: string, now: number): Date | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const time = unit === undefined ? new Date(text) : new Date(now - Number(count) * secondsOf[unit as 's'] * 1000)
  return Number.isNaN(time.getTime()) ? undefined : time
}

const linesOf = (text: string): string[] =>
  text.split('\n').filter((line, at, all) => at < all.length - 1 || line !== '')
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Lines that contain the text, in any case. */
export const matchingLines = (text: string, search: string): string =>
  textOf(linesOf(text).filter((line) => line.toLowerCase().includes(search.toLowerCase())))
