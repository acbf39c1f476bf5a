/** Parses DKIM and DMARC records, `name=value; …` (RFC 6376 §3.2). Undefined if invalid or if a name occurs twice. */
export function parseTagList(text: string): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>()
  const parts = text.split(';')
  if (parts.at(-1)!.trim() === '') parts.pop()
  for (const part of parts) {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim()
    if (!/^[A-Za-z]\w*$/.test(name) || tags.has(name)) return undefined
    tags.set(name, part.slice(at + 1).trim())
  }
  return tags
}
