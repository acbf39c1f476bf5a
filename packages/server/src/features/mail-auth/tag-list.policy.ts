/**
 * The tags of a DKIM or DMARC record (RFC 6376 §3.2): `name=value` between semicolons, white space around each of no account. Undefined
 * where it is no such list, also where a name is there twice, as receivers take none of it then.
 */
export function parseTagList(text: string): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>()
  const parts = text.split(';')
  // The last semicolon ends a tag and begins none.
  if (parts.at(-1)!.trim() === '') parts.pop()
  for (const part of parts) {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim()
    if (!/^[A-Za-z]\w*$/.test(name) || tags.has(name)) return undefined
    tags.set(name, part.slice(at + 1).trim())
  }
  return tags
}
