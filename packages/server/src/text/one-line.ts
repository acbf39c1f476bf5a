/** Makes untrusted text safe for a page or log: no control or invisible characters, limited length. */
export function oneLine(text: string, maxCharacters: number): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
}
