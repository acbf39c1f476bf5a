/** New lines between two tails of a log. Without overlap (a new container) all lines are new. */
export function newLines(before: string, now: string): string {
  const old = linesOf(before)
  const lines = linesOf(now)
  for (let common = Math.min(old.length, lines.length); common > 0; common -= 1)
    if (lines.slice(0, common).every((line, at) => line === old[old.length - common + at]))
      return textOf(lines.slice(common))
  return textOf(lines)
}

export const lastLines = (text: string, count: number): string => textOf(linesOf(text).slice(-count))

const linesOf = (text: string): string[] =>
  text.split('\n').filter((line, at, all) => at < all.length - 1 || line !== '')
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Lines that contain the text, in any case. */
export const matchingLines = (text: string, search: string): string =>
  textOf(linesOf(text).filter((line) => line.toLowerCase().includes(search.toLowerCase())))
