/**
 * What of the end of a log has come since an earlier look at its end: all that follows the longest end of the earlier one with which the later one
 * begins, or that it has in it. A log that begins anew, of another container, is new as a whole.
 */
export function newLines(before: string, now: string): string {
  const old = linesOf(before)
  const lines = linesOf(now)
  const last = old.at(-1)
  if (last === undefined) return textOf(lines)
  for (let end = lines.length; end > 0; end -= 1) {
    if (lines[end - 1] !== last) continue
    const common = Math.min(end, old.length)
    const isSame = lines.slice(end - common, end).every((line, at) => line === old[old.length - common + at])
    if (isSame) return textOf(lines.slice(end))
  }
  return textOf(lines)
}

const linesOf = (text: string): string[] =>
  text.split('\n').filter((line, at, all) => at < all.length - 1 || line !== '')
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
