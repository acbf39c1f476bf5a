/** What a stranger wrote, for a page or a log: without control and invisible characters, cut where it is too long. */
export function oneLine(text: string, maxCharacters: number): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
}
