/**
 * Entity tag of a file (RFC 9110 §8.8). Weak for files changed within the last two seconds, which could change again
 * with the same mtime (§8.8.2.2).
 */
export function entityTag(file: { size: number; mtime: Date }, now: Date): string {
  const tag = `"${file.size.toString(36)}-${file.mtime.getTime().toString(36)}"`
  return now.getTime() - file.mtime.getTime() > settledMs ? tag : `W/${tag}`
}

const settledMs = 2_000

export function isAlreadyHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return tagsIn(ifNoneMatch).some((held) => opaque(held) === opaque(tag))
}

export function isSamePart(ifRange: string | undefined, tag: string): boolean {
  return ifRange === undefined || (!tag.startsWith('W/') && ifRange.trim() === tag)
}

const tagsIn = (header: string) => header.match(/(?:W\/)?"[^"]*"/g) ?? []
const opaque = (tag: string) => tag.replace(/^W\//, '')
