/** Supported Node.js versions with their end of life. 20 only because Debian 13 packages it. */
const lastFix: Readonly<Record<number, string>> = { 20: '2026-04', 22: '2027-04', 24: '2028-04' }

export function nodeAdvice(version: string, now: Date): string | undefined {
  const major = Number.parseInt(version, 10)
  const until = lastFix[major]
  if (until === undefined)
    return `Node.js ${major} is not supported (supported: ${Object.keys(lastFix).join(', ')}). Install Node.js 24; ./panel picks it up`
  return now.toISOString().slice(0, 7) > until
    ? `Node.js ${major} is end of life since ${until}. Install Node.js 24; ./panel uses the latest supported version on the PATH`
    : undefined
}
