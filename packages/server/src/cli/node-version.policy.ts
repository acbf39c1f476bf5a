/** The versions that the panel is tested with, and when each gets its last fix. */
const lastFix: Readonly<Record<number, string>> = { 20: '2026-04', 22: '2027-04', 24: '2028-04' }

/** What to think about the Node.js that runs the panel; undefined where it is well chosen. `version` is as in process.versions.node. */
export function nodeAdvice(version: string, now: Date): string | undefined {
  const major = Number.parseInt(version, 10)
  const until = lastFix[major]
  if (until === undefined)
    return `the panel is tested with Node.js ${Object.keys(lastFix).join(', ')}: one of these is taken where it is installed too`
  return now.toISOString().slice(0, 7) > until
    ? `Node.js ${major} gets no fixes since ${until}: install 24 beside it, ./panel takes the newest`
    : undefined
}
