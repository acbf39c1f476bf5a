/** Supported versions of Node.js, with the month of their last security fix. 20 only because it is Debian 13's package. */
const lastFix: Readonly<Record<number, string>> = { 20: '2026-04', 22: '2027-04', 24: '2028-04' }

/** Advice about the Node.js that runs the panel, or undefined if it is a good choice. `version` as in process.versions.node. */
export function nodeAdvice(version: string, now: Date): string | undefined {
  const major = Number.parseInt(version, 10)
  const until = lastFix[major]
  if (until === undefined)
    return `Node.js ${major} is not supported (supported: ${Object.keys(lastFix).join(', ')}): install Node.js 24, which ./panel then uses`
  return now.toISOString().slice(0, 7) > until
    ? `Node.js ${major} is end of life since ${until}: install Node.js 24, ./panel uses the newest supported version on the PATH`
    : undefined
}
