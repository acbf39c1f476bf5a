/**
 * An entity tag of a file (RFC 9110 §8.8). Weak while the file is so young that it could change again without a new time: as with
 * Last-Modified (§8.8.2.2), only what has been left alone for a while is known by its time.
 */
export function entityTag(file: { size: number; mtime: Date }, now: Date): string {
  const tag = `"${file.size.toString(36)}-${file.mtime.getTime().toString(36)}"`
  return now.getTime() - file.mtime.getTime() > settledMs ? tag : `W/${tag}`
}

const settledMs = 2_000

/** If-None-Match: whether the client has it already. Weak comparison. */
export function isAlreadyHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return tagsIn(ifNoneMatch).some((held) => opaque(held) === opaque(tag))
}

/** If-Range: whether the part that is asked for belongs to what the client has the rest of. Strong comparison; a date is none. */
export function isSamePart(ifRange: string | undefined, tag: string): boolean {
  return ifRange === undefined || (!tag.startsWith('W/') && ifRange.trim() === tag)
}

const tagsIn = (header: string) => header.match(/(?:W\/)?"[^"]*"/g) ?? []
const opaque = (tag: string) => tag.replace(/^W\//, '')
